package dev.lightpath.benchmarks.whole;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Does something again and again until closed. */
final class Probe implements AutoCloseable {
    private static final int PERIOD_MILLIS = 200;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    /** Five times a second. */
    Probe(Runnable act) {
        this(PERIOD_MILLIS, act);
    }

    /** @param millis between the end of one and the next */
    Probe(int millis, Runnable act) {
        var unused = thread.scheduleWithFixedDelay(act, 0, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
