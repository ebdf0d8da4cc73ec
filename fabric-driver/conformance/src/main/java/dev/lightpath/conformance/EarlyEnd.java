package dev.lightpath.conformance;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The process is to end before its run does: cuts what the run waits for, and holds the process until the run has given
 * the device back. Made by the thread of the run.
 */
final class EarlyEnd implements BooleanSupplier, AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final Thread run = Thread.currentThread();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::cut, "early-end");
    private volatile boolean asked;

    EarlyEnd() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the run is to end. */
    @Override
    public boolean getAsBoolean() {
        return asked;
    }

    private void cut() {
        asked = true;
        run.interrupt();
        try {
            boolean unused = over.await(LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // it runs
        }
    }
}
