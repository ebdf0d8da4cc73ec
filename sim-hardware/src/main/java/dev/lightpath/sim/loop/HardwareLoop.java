package dev.lightpath.sim.loop;

import dev.lightpath.sim.core.Hardware;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs everything that concerns the hardware on one thread: commands and queries in order of arrival, timers when they
 * fall due. With a virtual clock time stands still until {@link #advance}.
 */
public final class HardwareLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HardwareLoop.class);
    private static final long IDLE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Hardware hardware;
    private final boolean virtual;
    private final Instant start;
    private final long startNanoTime = System.nanoTime();
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    /**
     * A loop that runs from now on.
     *
     * @param virtual whether time passes only by {@link #advance}
     * @param start emulated time now
     */
    public HardwareLoop(Hardware hardware, boolean virtual, Instant start) {
        this.hardware = hardware;
        this.virtual = virtual;
        this.start = start;
        thread = Thread.ofPlatform().name("hardware").daemon(true).start(this::run);
    }

    /** Does something on the loop, soon. Nothing is done any more after {@link #close}. */
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Asks something and waits for the answer. Never call it from the loop itself. */
    public <T> T ask(Supplier<T> question) {
        if (closed) {
            throw new IllegalStateException("the emulator is closed");
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(() -> {
            try {
                answer.complete(question.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the hardware", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the hardware did not answer for 30 s", e);
        }
    }

    /** Whether time passes only by {@link #advance}. */
    public boolean isVirtual() {
        return virtual;
    }

    /**
     * Advances virtual time. On the loop only.
     *
     * @return the number of timers that fell due
     */
    public long advance(long nanos) {
        if (!virtual) {
            throw new IllegalStateException("the clock is real");
        }
        return hardware.advanceTo(hardware.nowNanos() + nanos);
    }

    /** Emulated time of nanoseconds since the emulation began. */
    public Instant at(long nanos) {
        return start.plusNanos(nanos);
    }

    @Override
    public void close() {
        closed = true;
        tasks.add(() -> {});
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                step();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("the hardware failed to do something; it goes on");
            }
        }
    }

    private void step() throws InterruptedException {
        long waitNanos = IDLE_NANOS;
        if (!virtual) {
            hardware.advanceTo(System.nanoTime() - startNanoTime);
            waitNanos = Math.min(IDLE_NANOS, hardware.nextNanos() - hardware.nowNanos());
        }
        @Nullable Runnable task = tasks.poll(waitNanos, TimeUnit.NANOSECONDS);
        if (task != null) {
            if (!virtual) {
                hardware.advanceTo(System.nanoTime() - startNanoTime);
            }
            task.run();
        }
    }
}
