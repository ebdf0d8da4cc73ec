package dev.lightpath.app.lead;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that does all of the leadership that may wait. What is asked of it once it ends is not begun. */
final class LeadershipThread {
    private static final Logger LOG = LoggerFactory.getLogger(LeadershipThread.class);

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("leadership").factory());

    /** For elections, which do some of theirs on it. */
    ScheduledExecutorService executor() {
        return executor;
    }

    void soon(Runnable task) {
        later(task, 0);
    }

    void later(Runnable task, Duration pause) {
        later(task, pause.toNanos());
    }

    /** @param nanos at once where it is 0 or less */
    void later(Runnable task, long nanos) {
        try {
            executor.schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; nothing more is begun");
        }
    }

    /**
     * Again and again until it ends. A task that fails is done again.
     *
     * @param first before the first time
     * @param pause from the end of one to the next
     */
    void repeat(Runnable task, Duration first, Duration pause) {
        try {
            executor.scheduleWithFixedDelay(
                    () -> attempt(task), first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; nothing more is begun");
        }
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // an executor would never do it again
            LOG.atWarn().setCause(e).log("a repeated task of the leadership failed; it is done again");
        }
    }

    /** What runs is interrupted, what waits is dropped. */
    void end() {
        executor.shutdownNow();
    }
}
