package dev.lightpath.app.driver;

import dev.lightpath.app.driver.endpoint.Channels;
import dev.lightpath.app.driver.endpoint.Dials;
import dev.lightpath.tracing.Tracing;
import io.opentelemetry.api.trace.Tracer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** What the links of a fleet share: time, chance, threads and the epoch. */
final class FleetSurroundings implements AutoCloseable {
    /** A call takes some milliseconds, and up to the deadline where nobody answers. */
    private static final int CALLED_AT_ONCE = 256;

    private final LongSupplier epoch;
    private final Supplier<EpochBook> book;
    private final FleetTimings timings;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Tracing tracing;
    private final ScheduledExecutorService timer;
    private final ExecutorService callbacks;
    private final Dials dials;
    private final Channels channels;

    FleetSurroundings(
            LongSupplier epoch,
            Supplier<EpochBook> book,
            FleetTimings timings,
            InstantSource clock,
            RandomGenerator random,
            Tracing tracing) {
        this.epoch = epoch;
        this.book = book;
        this.timings = timings;
        this.clock = clock;
        this.random = random;
        this.tracing = tracing;
        this.callbacks = Executors.newVirtualThreadPerTaskExecutor();
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("driver-fleet-timer").factory());
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        scheduler.setRejectedExecutionHandler((task, executor) -> {});
        this.timer = scheduler;
        this.dials = new Dials(CALLED_AT_ONCE, callbacks);
        this.channels = new Channels();
    }

    private FleetSurroundings(FleetSurroundings shared, FleetTimings timings) {
        this.epoch = shared.epoch;
        this.book = shared.book;
        this.timings = timings;
        this.clock = shared.clock;
        this.random = shared.random;
        this.tracing = shared.tracing;
        this.timer = shared.timer;
        this.callbacks = shared.callbacks;
        this.dials = shared.dials;
        this.channels = shared.channels;
    }

    /** The same with other timings; time, threads and all else are shared. */
    FleetSurroundings timed(FleetTimings other) {
        return new FleetSurroundings(this, other);
    }

    /** Who may be called now. */
    Dials dials() {
        return dials;
    }

    /** Opens connections. */
    Channels channels() {
        return channels;
    }

    LongSupplier epoch() {
        return epoch;
    }

    Supplier<EpochBook> book() {
        return book;
    }

    Tracer tracer() {
        return tracing.tracer();
    }

    FleetTimings timings() {
        return timings;
    }

    InstantSource clock() {
        return clock;
    }

    /** Where callbacks of calls run: threads are made as needed and none is kept, so there is nothing to close. */
    ExecutorService callbacks() {
        return callbacks;
    }

    /** Runs it later, off the timer's own thread. Does nothing once closed. */
    void after(Duration delay, Runnable task) {
        var unused = timer.schedule(() -> callbacks.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * The wait before an attempt, counted from 0: doubled each time, half of it by chance, so that many do not come at
     * once.
     */
    Duration backoff(int attempt) {
        long ceiling = timings.lastRetry().toNanos();
        long doubled = timings.firstRetry().toNanos() << Math.min(attempt, 20);
        long whole = doubled <= 0 ? ceiling : Math.min(doubled, ceiling);
        return Duration.ofNanos(whole / 2 + random.nextLong(whole / 2 + 1));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
