package dev.lightpath.benchmarks.whole;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Does something five times a second until closed. */
final class Probe implements AutoCloseable {
    private static final int PERIOD_MILLIS = 200;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    Probe(Runnable act) {
        var unused = thread.scheduleWithFixedDelay(act, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
