package dev.lightpath.app.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** What the loop hears. Told from any thread, and taken in on the thread of the loop alone, between two passes. */
final class LoopNews {
    private final PassMeter meter;
    private final Runnable before;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition heard = lock.newCondition();
    /** Each takes itself in, and says how long a pass may wait for more. */
    private final List<Supplier<Duration>> told = new ArrayList<>();

    private boolean awake = true;
    private long heardNanos = System.nanoTime();
    private boolean stopped;

    // of the loop's thread
    /** To be taken in; where one cannot be, those after it are next time. */
    private final Queue<Supplier<Duration>> taken = new ArrayDeque<>();

    private long passHeardNanos;

    /** @param before done each time before anything is taken in, on the loop's thread */
    LoopNews(PassMeter meter, Runnable before) {
        this.meter = meter;
        this.before = before;
    }

    /** @param change takes itself in, and says how long a pass may wait for more */
    void tell(Supplier<Duration> change) {
        lock.lock();
        try {
            told.add(change);
            if (!awake) {
                heardNanos = System.nanoTime();
            }
            awake = true;
            heard.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for news that ask for a pass or the end of the rest; false once stopped. Takes in all news. */
    boolean await(Duration rest) {
        long endNanos = System.nanoTime() + rest.toNanos();
        boolean heardOf = false;
        while (true) {
            lock.lock();
            try {
                long nanos = endNanos - System.nanoTime();
                while (!awake && !stopped && nanos > 0) {
                    nanos = heard.awaitNanos(nanos);
                }
                if (stopped) {
                    return false;
                }
                if (!heardOf) {
                    passHeardNanos = awake ? heardNanos : System.nanoTime();
                }
                awake = false;
                taken.addAll(told);
                told.clear();
            } catch (InterruptedException e) {
                return false;
            } finally {
                lock.unlock();
            }
            before.run();
            boolean nothingNew = taken.isEmpty();
            boolean due = nothingNew;
            while (!taken.isEmpty()) {
                Duration wait = taken.remove().get();
                due |= wait.isZero();
                endNanos = Math.min(endNanos, System.nanoTime() + wait.toNanos());
            }
            if (due) {
                if (heardOf || !nothingNew) {
                    meter.waited(Duration.ofNanos(System.nanoTime() - passHeardNanos));
                }
                return true;
            }
            heardOf = true;
        }
    }

    /** When the first news of this pass came in, by {@link System#nanoTime}. Of the loop's thread. */
    long passHeardNanos() {
        return passHeardNanos;
    }

    boolean stopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is waited for any more. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            heard.signal();
        } finally {
            lock.unlock();
        }
    }
}
