package dev.lightpath.app.driver.endpoint;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Lets only so many drivers be called for the first time at once; the others wait in the order in which they came. */
public final class Dials {
    private final int most;
    private final Executor others;
    private final Queue<Consumer<Runnable>> waiting = new ArrayDeque<>();
    private int running;

    /**
     * @param others runs the calls that waited: never the thread of a call that ends, which may hold locks of its own
     */
    public Dials(int most, Executor others) {
        this.most = most;
        this.others = others;
    }

    /**
     * Runs a call as soon as there is room for it: now on this thread, or later.
     *
     * @param call gets what it runs when it is over, once or more often
     */
    public void run(Consumer<Runnable> call) {
        synchronized (this) {
            if (running >= most) {
                waiting.add(call);
                return;
            }
            running++;
        }
        begin(call);
    }

    private void begin(Consumer<Runnable> call) {
        AtomicBoolean over = new AtomicBoolean();
        Runnable end = () -> {
            if (over.compareAndSet(false, true)) {
                ended();
            }
        };
        try {
            call.accept(end);
        } catch (RuntimeException bug) {
            end.run();
            throw bug;
        }
    }

    private void ended() {
        Consumer<Runnable> next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                running--;
                return;
            }
        }
        others.execute(() -> begin(next));
    }
}
