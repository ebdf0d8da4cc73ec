package dev.lightpath.planner.health;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is measured at one port.
 *
 * @param path names the way of the light as far as it is known, such as its sender: levels of different ways are not
 *     compared
 * @param levelDb how strong the light is: receive power in dBm, or the negative of a measured loss in dB; finite
 * @param bitErrorRatio share of wrong bits before error correction, where it is measured
 * @param promisedDb the level that the factory measured of this way; finite
 * @param ingress where light enters whose loss through the device is measured; empty of light that arrives
 */
public record Reading(
        String path,
        double levelDb,
        OptionalDouble bitErrorRatio,
        OptionalDouble promisedDb,
        Optional<String> ingress) {
    public Reading {
        if (!Double.isFinite(levelDb) || !Double.isFinite(promisedDb.orElse(0))) {
            throw new IllegalArgumentException("a level that is no number: " + levelDb + ", " + promisedDb);
        }
    }

    /** Of light that arrives. */
    public Reading(String path, double levelDb, OptionalDouble bitErrorRatio, OptionalDouble promisedDb) {
        this(path, levelDb, bitErrorRatio, promisedDb, Optional.empty());
    }

    /** Of light that arrives on a way that no factory measured. */
    public Reading(String path, double levelDb, OptionalDouble bitErrorRatio) {
        this(path, levelDb, bitErrorRatio, OptionalDouble.empty());
    }

    /** The same, whatever a factory measured. */
    public Reading unpromised() {
        return new Reading(path, levelDb, bitErrorRatio, OptionalDouble.empty(), ingress);
    }
}
