package dev.lightpath.driver.contract;

import dev.lightpath.driver.contract.view.ContractException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One writer at a time on one device. A higher epoch waits for the operation of a lower one to finish; equals do not
 * wait.
 */
final class WriterLock {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The operation that holds the lock. */
    record Running(String operationId, long epoch) {}

    private final String deviceId;
    private final ReentrantLock lock = new ReentrantLock(true);
    private volatile @Nullable Running running;

    WriterLock(String deviceId) {
        this.deviceId = deviceId;
    }

    /** @throws ContractException ABORTED when an operation of the same or a higher epoch is in flight */
    void take(Running next) {
        // the timed call keeps to the queue; tryLock() would overtake waiting threads
        if (!takeQuietly(Duration.ZERO)) {
            Running other = running;
            if (other != null && Long.compareUnsigned(other.epoch(), next.epoch()) >= 0) {
                throw ContractException.inFlight(deviceId, other.operationId());
            }
            if (!patiently()) {
                throw ContractException.inFlight(deviceId, other == null ? "" : other.operationId());
            }
        }
        running = next;
    }

    /** Takes the lock for the driver's own work; false when it did not get it in time. */
    boolean takeQuietly(Duration patience) {
        try {
            return lock.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * The operation's end is about to be published. A caller that sees it and comes next waits a moment for the lock,
     * instead of being refused for an operation that it knows to have ended.
     */
    void ending() {
        running = null;
    }

    void release() {
        running = null;
        lock.unlock();
    }

    boolean isTaken() {
        return lock.isLocked();
    }

    /** True when this very operation is being carried out. */
    boolean isRunning(String operationId) {
        Running now = running;
        return now != null && now.operationId().equals(operationId);
    }

    private boolean patiently() {
        return takeQuietly(PATIENCE);
    }
}
