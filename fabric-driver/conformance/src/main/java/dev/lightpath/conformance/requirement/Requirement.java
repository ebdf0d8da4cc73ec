package dev.lightpath.conformance.requirement;

import dev.lightpath.conformance.bench.Bench;

/**
 * One thing the contract demands.
 *
 * @param name chapter/what, unique; what {@code --only} and {@code --skip} match
 * @param section where the contract says so
 * @param statement what a conforming driver does
 */
public record Requirement(String name, String section, String statement, Check check) {
    /** Judges a driver. Finds the device as it was found by the kit, and need not put it back. */
    @FunctionalInterface
    public interface Check {
        /**
         * Returns when the requirement is met.
         *
         * @throws dev.lightpath.conformance.bench.Unmet when it is not
         * @throws dev.lightpath.conformance.bench.Inapplicable when it cannot be judged on this device
         */
        void judge(Bench bench) throws Exception;
    }

    public String chapter() {
        return name.substring(0, name.indexOf('/'));
    }
}
