package dev.lightpath.sim.core;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The one clock and the one queue of everything that will happen, in nanoseconds since the emulation began. Timers of
 * the same instant run in the order they were set.
 */
public final class Timers {
    private final PriorityQueue<Timer> queue =
            new PriorityQueue<>(Comparator.comparingLong(Timer::atNanos).thenComparingLong(Timer::order));
    private long nowNanos;
    private long order;

    private record Timer(long atNanos, long order, Runnable task) {}

    /** Nanoseconds since the emulation began. */
    public long nowNanos() {
        return nowNanos;
    }

    /** Runs a task after a delay. A negative delay counts as none. A delay beyond the end of the clock never ends. */
    public void after(long delayNanos, Runnable task) {
        long delay = Math.clamp(delayNanos, 0, Long.MAX_VALUE - nowNanos);
        queue.add(new Timer(nowNanos + delay, order++, task));
    }

    /** When the next timer is due; {@link Long#MAX_VALUE} when there is none. */
    public long nextNanos() {
        Timer next = queue.peek();
        return next == null ? Long.MAX_VALUE : next.atNanos;
    }

    /**
     * Moves the clock to an instant and runs what falls due, in order, each at its own time.
     *
     * @return the number of timers run
     */
    public long advanceTo(long targetNanos) {
        long fired = 0;
        while (nextNanos() <= targetNanos) {
            Timer timer = queue.remove();
            nowNanos = Math.max(nowNanos, timer.atNanos);
            timer.task.run();
            fired++;
        }
        nowNanos = Math.max(nowNanos, targetNanos);
        return fired;
    }
}
