package dev.lightpath.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Remembers what is to be done again and again, and how often; it is done when a test says so. */
public final class HeldTimers extends ScheduledThreadPoolExecutor {
    private final List<Duration> periods = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();

    public HeldTimers() {
        super(1);
        setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long period, TimeUnit unit) {
        periods.add(Duration.of(period, unit.toChronoUnit()));
        tasks.add(task);
        return schedule(() -> {}, 1, TimeUnit.DAYS);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(task, first, period, unit);
    }

    public List<Duration> periods() {
        return periods;
    }

    /** Does all of it once. */
    public void turn() {
        tasks.forEach(Runnable::run);
    }
}
