package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.StoredOperation;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

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
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile Optional<List<NativeCircuit>> lastHint = Optional.empty();

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
                line.expect(Set.of());
                writerLock.release();
            }
        }
        return book.durable(stored.key()).orElse(stored);
    }

    /** The device answers, and this is all of it. */
    void present(DeviceReading reading) {
        boolean idle = !writerLock.isTaken();
        mirror.present(reading, idle);
        if (!idle || memory.unsettled().stream().anyMatch(StoredOperation::isOpen)) {
            later(0, this::lookAgain);
        }
    }

    /** The device says its circuits are these. */
    void hint(List<NativeCircuit> circuits) {
        lastHint = Optional.of(circuits);
        if (!writerLock.isTaken()) {
            if (mirror.shows(circuits)) {
                mirror.hintedLosses(circuits);
            }
            lookAgainIfHinted();
        }
    }

    /**
     * Reads the device if its adapter reported other circuits while an operation held the writer lock. Losses of such a
     * report are older than those that the operation read back.
     */
    void lookAgainIfHinted() {
        Optional<List<NativeCircuit>> hint = lastHint;
        lastHint = Optional.empty();
        if (hint.isPresent() && !mirror.shows(hint.get())) {
            later(0, this::lookAgain);
        }
    }

    /** Schedules one read; further calls until then add none. */
    void lookAgainLater() {
        if (due.compareAndSet(false, true)) {
            later(RETRY_MILLIS, () -> {
                due.set(false);
                lookAgain();
            });
        }
    }

    /**
     * Reads the device and settles operations whose end was not seen; asks again while it is silent, or nothing can be
     * kept.
     */
    private void lookAgain() {
        if (!refreshing.compareAndSet(false, true)) {
            return;
        }
        boolean again = false;
        try {
            if (writerLock.takeQuietly(QUIET_PATIENCE)) {
                try {
                    var unused = book.readSettled();
                } finally {
                    line.expect(Set.of());
                    writerLock.release();
                }
            } else {
                again = true;
            }
        } catch (DeviceSilentException silent) {
            again = mirror.view().availability() != Availability.AVAILABILITY_REMOVED;
        } catch (ContractException notDurable) {
            again = true;
        } finally {
            refreshing.set(false);
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
