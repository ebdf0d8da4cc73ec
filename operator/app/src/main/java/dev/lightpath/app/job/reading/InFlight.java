package dev.lightpath.app.job.reading;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Calls to the API server, {@value Concurrently#AT_A_TIME} under way at a time: the next one is sent as soon as any of
 * them has ended. All methods are for one thread.
 */
public final class InFlight implements AutoCloseable {
    private final Semaphore places = new Semaphore(Concurrently.AT_A_TIME);
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
    /** Those whose answers were not looked at, in the order in which they were sent. */
    private final Queue<Future<Boolean>> sent = new ArrayDeque<>();

    private volatile boolean failed;
    private boolean succeeded = true;

    /** Whether a call would have to wait now. */
    public boolean isFull() {
        return places.availablePermits() == 0;
    }

    /**
     * Waits until a call can be sent at once.
     *
     * @return false where one that was sent has thrown something
     */
    public boolean awaitPlace() {
        places.acquireUninterruptibly();
        places.release();
        return !failed;
    }

    /** @param call true where it did what it was to do */
    public void send(BooleanSupplier call) {
        places.acquireUninterruptibly();
        sent.add(threads.submit(() -> {
            try {
                return call.getAsBoolean();
            } catch (RuntimeException e) {
                failed = true;
                throw e;
            } finally {
                places.release();
            }
        }));
    }

    /**
     * Waits for all that were sent.
     *
     * @return whether each of them did what it was to do
     * @throws RuntimeException what the first of them threw that did, once all have ended
     */
    public boolean awaitAll() {
        places.acquireUninterruptibly(Concurrently.AT_A_TIME);
        places.release(Concurrently.AT_A_TIME);
        while (!sent.isEmpty()) {
            succeeded &= Concurrently.answer(sent.remove());
        }
        return succeeded;
    }

    @Override
    public void close() {
        threads.close();
    }
}
