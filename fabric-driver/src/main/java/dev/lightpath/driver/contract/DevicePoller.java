package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.StoredOperation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Reads the device again when there is a reason: an event of its adapter, silence, operations with an unknown end. */
final class DevicePoller {
    private static final Duration QUIET_PATIENCE = Duration.ofMillis(100);
    /** Time between two attempts of anything the driver does by itself. */
    static final long RETRY_MILLIS = 1000;

    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final GuardedLine line;
    private final WriterLock writerLock;
    private final OperationBook book;
    /** Whether a read was asked for at once, or after a pause, and has not begun. */
    private final AtomicBoolean askedNow = new AtomicBoolean();

    private final AtomicBoolean askedLater = new AtomicBoolean();
    /** What the device told last, if it was not looked at. */
    private final AtomicReference<Optional<List<NativeCircuit>>> lastHint = new AtomicReference<>(Optional.empty());

    DevicePoller(DeviceParts parts) {
        surroundings = parts.surroundings();
        memory = parts.memory();
        mirror = parts.mirror();
        line = parts.line();
        writerLock = parts.writerLock();
        book = parts.book();
    }

    /** The device's circuits, read now; UNAVAILABLE when it does not answer, and then it is read again later. */
    SortedMap<CircuitPair, NativeCircuit> readOrRefuse() {
        try {
            return line.read();
        } catch (DeviceSilentException silent) {
            throw refusal(silent);
        }
    }

    private ContractException refusal(DeviceSilentException silent) {
        lookAgainLater();
        return ContractException.silent(memory.deviceId(), String.valueOf(silent.getMessage()));
    }

    /**
     * As {@link #readOrRefuse}, after operations with an unknown end have been settled. The caller holds the writer
     * lock.
     */
    SortedMap<CircuitPair, NativeCircuit> readSettledOrRefuse() {
        try {
            return book.readSettled();
        } catch (DeviceSilentException silent) {
            throw refusal(silent);
        }
    }

    /** The operation. If its end is unknown and nothing else runs, it is first settled by what the device shows. */
    StoredOperation resolved(StoredOperation stored) {
        if (stored.isOpen() && writerLock.takeQuietly(QUIET_PATIENCE)) {
            try {
                var unused = book.readSettled();
            } catch (DeviceSilentException stillSilent) {
                // the operation stays open, and is reported as open
            } finally {
                release();
            }
        }
        return book.durable(stored.key()).orElse(stored);
    }

    /** The device answers, and this is all of it. */
    void present(DeviceReading reading) {
        boolean idle = !writerLock.isTaken();
        mirror.present(reading, idle);
        if (!idle || memory.unsettled().stream().anyMatch(StoredOperation::isOpen)) {
            lookAgain(askedNow, 0);
        }
    }

    /** The device says its circuits are these. */
    void hint(List<NativeCircuit> circuits) {
        lastHint.set(Optional.of(circuits));
        if (!writerLock.isTaken()) {
            if (mirror.shows(circuits)) {
                mirror.hintedLosses(circuits);
            }
            lookAgainIfHinted();
        }
    }

    /**
     * Releases the writer lock. Reads the device again if its adapter reported other circuits while the lock was held:
     * what the holder read may be older. Losses of such a report are older than those that an operation read back.
     */
    void release() {
        line.expect(Set.of());
        writerLock.release();
        lookAgainIfHinted();
    }

    private void lookAgainIfHinted() {
        Optional<List<NativeCircuit>> hint = lastHint.getAndSet(Optional.empty());
        if (hint.isPresent() && !mirror.shows(hint.get())) {
            lookAgain(askedNow, 0);
        }
    }

    void lookAgainLater() {
        lookAgain(askedLater, RETRY_MILLIS);
    }

    /** Schedules one read; further calls until it begins add none. */
    private void lookAgain(AtomicBoolean asked, long millis) {
        if (asked.compareAndSet(false, true)) {
            later(millis, () -> lookAgain(asked));
        }
    }

    /**
     * Reads the device and settles operations whose end was not seen; asks again while it is silent, or nothing can be
     * kept.
     */
    private void lookAgain(AtomicBoolean asked) {
        boolean taken = writerLock.takeQuietly(QUIET_PATIENCE);
        asked.set(false);
        boolean again = !taken;
        if (taken) {
            try {
                var unused = book.readSettled();
            } catch (DeviceSilentException silent) {
                again = !mirror.isRemoved();
            } catch (ContractException notDurable) {
                again = true;
            } finally {
                release();
            }
        }
        if (again) {
            lookAgainLater();
        }
    }

    /** Starts some work in the background. */
    void later(long millis, Runnable work) {
        if (millis == 0) {
            Thread.startVirtualThread(work);
        } else if (!surroundings.timers().isShutdown()) {
            var unused = surroundings
                    .timers()
                    .schedule(() -> Thread.startVirtualThread(work), millis, TimeUnit.MILLISECONDS);
        }
    }
}
