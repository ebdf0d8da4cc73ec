package dev.lightpath.benchmarks.whole;

import java.util.function.BooleanSupplier;

/** Waiting for a state. */
public final class Patience {
    private Patience() {}

    public static void until(String what, int seconds, BooleanSupplier holds) {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not after " + seconds + " s: " + what);
            }
            sleepMillis(20);
        }
    }

    public static void sleepMillis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
