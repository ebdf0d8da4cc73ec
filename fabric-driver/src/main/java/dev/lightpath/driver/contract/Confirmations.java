package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.StoredOperation;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/** Operations that are put back unless confirmed. */
final class Confirmations {
    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final Fence fence;
    private final WriterLock writerLock;
    private final OperationBook book;
    private final DevicePoller poller;
    /** Operations for which a timer or an attempt to put them back is under way: one each. */
    private final Set<StoredOperation.Key> watched = ConcurrentHashMap.newKeySet();

    Confirmations(DeviceParts parts, DevicePoller poller) {
        surroundings = parts.surroundings();
        memory = parts.memory();
        mirror = parts.mirror();
        fence = parts.fence();
        writerLock = parts.writerLock();
        book = parts.book();
        this.poller = poller;
    }

    /** Takes up what an earlier run of the driver, or a device that was removed, left unconfirmed. */
    void resume() {
        memory.unsettled().stream()
                .filter(stored -> stored.operation().hasConfirmBefore())
                .forEach(this::rollBackInTime);
    }

    /**
     * Operations that await a confirmation: those of lower epochs are rolled back, one of the same epoch is in the way.
     */
    SortedMap<CircuitPair, NativeCircuit> finishUnconfirmed(
            ApplyCircuitsRequest request, SortedMap<CircuitPair, NativeCircuit> present) {
        SortedMap<CircuitPair, NativeCircuit> now = present;
        for (StoredOperation waiting : book.unconfirmed()) {
            Fencing theirs = waiting.operation().getFencing();
            if (theirs.getRole().equals(request.getFencing().getRole())
                    && theirs.getEpoch() == request.getFencing().getEpoch()) {
                throw ContractException.inFlight(
                        memory.deviceId(), waiting.operation().getOperationId());
            }
            var unused = cancel(waiting, now, "driver");
            now = poller.readOrRefuse();
        }
        return now;
    }

    /** Keeps an operation that awaits its confirmation. */
    Operation confirm(Fencing fencing, String operationId, Writer caller) {
        RequestShape.check(fencing);
        fence.pass(fencing, caller).await();
        writerLock.take(new WriterLock.Running(operationId, fencing.getEpoch()));
        try {
            fence.check(fencing, caller);
            StoredOperation stored = book.required(fencing.getRole(), operationId);
            if (!isPending(stored)) {
                if (isKept(stored.operation())) {
                    return stored.operation();
                }
                throw notPending(operationId, stored.operation());
            }
            Durable.require(surroundings.ledger());
            StoredOperation kept = book.update(
                    stored, stored.operation().toBuilder().clearConfirmBefore().build());
            surroundings.audit().operation(caller.name(), "confirm", kept.operation());
            return kept.operation();
        } finally {
            poller.release();
        }
    }

    /** Rolls back an operation that awaits its confirmation. */
    Operation cancel(Fencing fencing, String operationId, Writer caller) {
        RequestShape.check(fencing);
        fence.pass(fencing, caller).await();
        writerLock.take(new WriterLock.Running(operationId, fencing.getEpoch()));
        try {
            fence.check(fencing, caller);
            StoredOperation stored = book.required(fencing.getRole(), operationId);
            if (isPending(stored)) {
                SortedMap<CircuitPair, NativeCircuit> now = poller.readSettledOrRefuse();
                stored = book.required(fencing.getRole(), operationId);
                if (isPending(stored)) {
                    Durable.require(surroundings.ledger());
                    return cancel(stored, now, caller.name()).operation();
                }
            }
            return cancelled(stored);
        } finally {
            poller.release();
        }
    }

    private StoredOperation cancel(StoredOperation stored, SortedMap<CircuitPair, NativeCircuit> now, String caller) {
        try {
            StoredOperation ended = book.undo(stored, now, ItemReason.ITEM_REASON_CANCELLED);
            surroundings.audit().operation(caller, "cancel", ended.operation());
            return ended;
        } catch (DeviceSilentException silent) {
            poller.lookAgainLater();
            throw ContractException.silentInTheMiddle(
                    memory.deviceId(), stored.key().operationId(), String.valueOf(silent.getMessage()));
        }
    }

    private static boolean isPending(StoredOperation stored) {
        return stored.operation().hasConfirmBefore();
    }

    /** Whether it is in place, in whole or in part, and no roll-back was tried. */
    private static boolean isKept(Operation operation) {
        return switch (operation.getOutcome()) {
            case OUTCOME_APPLIED -> true;
            case OUTCOME_PARTIAL ->
                operation.getItemsList().stream().noneMatch(item -> OperationRun.isUndone(item.getReason()));
            case OUTCOME_UNSPECIFIED,
                    OUTCOME_IN_PROGRESS,
                    OUTCOME_REJECTED,
                    OUTCOME_ROLLED_BACK,
                    OUTCOME_UNKNOWN,
                    UNRECOGNIZED -> false;
        };
    }

    /** @throws ContractException NOT_PENDING unless it is put back already */
    private static Operation cancelled(StoredOperation stored) {
        if (stored.operation().getOutcome() != Outcome.OUTCOME_ROLLED_BACK) {
            throw notPending(stored.key().operationId(), stored.operation());
        }
        return stored.operation();
    }

    private static ContractException notPending(String operationId, Operation operation) {
        return ContractException.precondition(
                ErrorReason.ERROR_REASON_NOT_PENDING,
                "operation '" + operationId + "' awaits no confirmation; its outcome is "
                        + operation.getOutcome().name().replace("OUTCOME_", ""),
                Map.of());
    }

    /** Sees to it that an operation is put back in time, if it awaits a confirmation. */
    void rollBackInTime(StoredOperation stored) {
        if (stored.operation().hasConfirmBefore() && watched.add(stored.key())) {
            poller.later(left(stored.operation()), () -> rollBackIfUnconfirmed(stored.key()));
        }
    }

    /** Milliseconds: never more than was asked for, as a clock that was set back would have it. */
    private long left(Operation operation) {
        Instant until = Times.instant(operation.getConfirmBefore());
        Duration asked = Duration.between(Times.instant(operation.getAdmittedAt()), until);
        Duration left = Duration.between(surroundings.clock().instant(), until);
        return Math.clamp(left.toMillis(), 0, asked.toMillis());
    }

    private void rollBackIfUnconfirmed(StoredOperation.Key key) {
        boolean over = false;
        try {
            over = writerLock.takeQuietly(Duration.ofMinutes(5)) && isRolledBackOrSettled(key);
        } finally {
            watched.remove(key);
            // a device that is back by now was resumed while this one was watched
            if (!over && !mirror.isRemoved() && watched.add(key)) {
                poller.later(DevicePoller.RETRY_MILLIS, () -> rollBackIfUnconfirmed(key));
            }
        }
    }

    /** Has the writer lock, and releases it. */
    private boolean isRolledBackOrSettled(StoredOperation.Key key) {
        try {
            if (pending(key).isPresent()) {
                SortedMap<CircuitPair, NativeCircuit> now = book.readSettled();
                Optional<StoredOperation> stored = pending(key);
                if (stored.isPresent()) {
                    StoredOperation ended = book.undo(stored.get(), now, ItemReason.ITEM_REASON_NOT_CONFIRMED);
                    surroundings.audit().operation("driver", "not confirmed", ended.operation());
                }
            }
            return true;
        } catch (DeviceSilentException | ContractException notPutBackOrNotDurable) {
            return false;
        } finally {
            poller.release();
        }
    }

    private Optional<StoredOperation> pending(StoredOperation.Key key) {
        return memory.operation(key.role(), key.operationId()).filter(Confirmations::isPending);
    }
}
