package dev.lightpath.driver.crash;

import java.util.concurrent.CompletableFuture;

/**
 * The moment at which a driver stops. Moments are counted as they pass; at the chosen one the thread that meets it
 * stops for ever, and so does every other thread of the driver at its next moment. What a driver does after its crash
 * reaches neither its disk nor its devices.
 */
final class CrashPoint {
    private final int chosen;
    private int passed;
    private boolean crashed;
    private boolean defused;
    private final CompletableFuture<String> told = new CompletableFuture<>();

    /** @param chosen number of the moment, from 1; 0: never */
    CrashPoint(int chosen) {
        this.chosen = chosen;
    }

    /** True when the driver has stopped, at this moment or before. */
    synchronized boolean passes(String moment) {
        if (!crashed && !defused && ++passed == chosen) {
            crashed = true;
            told.complete(moment);
        }
        return !crashed;
    }

    /** Does not return once the driver has stopped. */
    void meet(String moment) {
        if (!passes(moment)) {
            var unused = new CompletableFuture<Void>().join();
        }
    }

    /** Completes with the name of the moment when the driver stops. */
    CompletableFuture<String> crashed() {
        return told;
    }

    /** From now on the driver does not stop, unless it has. */
    synchronized void defuse() {
        defused = true;
    }
}
