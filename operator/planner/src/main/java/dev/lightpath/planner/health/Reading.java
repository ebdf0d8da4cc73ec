package dev.lightpath.planner.health;

import java.util.OptionalDouble;

/**
 * What is measured at one port.
 *
 * @param path names the way of the light as far as it is known, such as its sender: levels of different ways are not
 *     compared
 * @param levelDb how strong the light is: receive power in dBm, or the negative of a measured loss in dB; finite
 * @param bitErrorRatio share of wrong bits before error correction, where it is measured
 * @param promisedDb the level that the factory measured of this way; finite
 */
public record Reading(String path, double levelDb, OptionalDouble bitErrorRatio, OptionalDouble promisedDb) {
    public Reading {
        if (!Double.isFinite(levelDb) || !Double.isFinite(promisedDb.orElse(0))) {
            throw new IllegalArgumentException("a level that is no number: " + levelDb + ", " + promisedDb);
        }
    }

    /** Of a way that no factory measured. */
    public Reading(String path, double levelDb, OptionalDouble bitErrorRatio) {
        this(path, levelDb, bitErrorRatio, OptionalDouble.empty());
    }

    /** The same, whatever a factory measured. */
    public Reading unpromised() {
        return new Reading(path, levelDb, bitErrorRatio);
    }
}
