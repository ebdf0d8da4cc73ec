package dev.lightpath.planner.health;

import java.util.OptionalDouble;

/**
 * What is measured at one port.
 *
 * @param path names the way of the light as far as it is known, such as its sender: levels of different ways are not
 *     compared
 * @param levelDb how strong the light is: receive power in dBm, or the negative of a measured loss in dB; finite
 * @param bitErrorRatio share of wrong bits before error correction, where it is measured
 */
public record Reading(String path, double levelDb, OptionalDouble bitErrorRatio) {
    public Reading {
        if (!Double.isFinite(levelDb)) {
            throw new IllegalArgumentException("a level that is no number: " + levelDb);
        }
    }
}
