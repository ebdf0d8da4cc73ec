package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Digest;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.driver.ledger.StoredOperation;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * The operations of one device: admitted, ended, resolved, rolled back. A caller of a method that changes one must have
 * the writer lock.
 */
final class OperationBook {
    private final DeviceLedger memory;
    private final Surroundings surroundings;
    private final Mirror mirror;
    private final GuardedLine line;

    OperationBook(DeviceLedger memory, Surroundings surroundings, Mirror mirror, GuardedLine line) {
        this.memory = memory;
        this.surroundings = surroundings;
        this.mirror = mirror;
        this.line = line;
    }

    /**
     * The operation a request names, if it is known.
     *
     * @throws ContractException INVALID_ARGUMENT when it was a different request
     */
    Optional<StoredOperation> known(ApplyCircuitsRequest request) {
        Optional<StoredOperation> stored = remembered(request.getFencing().getRole(), request.getOperationId());
        if (stored.isPresent() && !stored.get().contentHash().equals(Digest.ofContent(request))) {
            throw ContractException.invalid(
                    ErrorReason.ERROR_REASON_OPERATION_ID_REUSED,
                    "operation_id '" + request.getOperationId() + "' was used for a different request on "
                            + memory.deviceId(),
                    Map.of("operation_id", request.getOperationId()));
        }
        return stored;
    }

    private Optional<StoredOperation> remembered(String role, String operationId) {
        return memory.operation(role, operationId)
                .filter(stored -> !surroundings.ledger().isExpired(stored));
    }

    /** @throws ContractException NOT_FOUND when it is not known */
    StoredOperation required(String role, String operationId) {
        return remembered(role, operationId).orElseThrow(() -> noSuchOperation(role, operationId));
    }

    private ContractException noSuchOperation(String role, String operationId) {
        return new ContractException(
                Code.NOT_FOUND,
                ErrorReason.ERROR_REASON_NO_SUCH_OPERATION,
                memory.deviceId() + " has no operation '" + operationId + "' of role '" + role + "'",
                Map.of("operation_id", operationId));
    }

    /** Operations that await a confirmation, newest first. */
    List<StoredOperation> unconfirmed() {
        Comparator<StoredOperation> oldestFirst =
                Comparator.comparing(s -> Times.instant(s.operation().getAdmittedAt()));
        return memory.unsettled().stream()
                .filter(s -> s.operation().hasConfirmBefore())
                .sorted(oldestFirst.reversed())
                .toList();
    }

    StoredOperation admit(ApplyCircuitsRequest request, ChangePlan plan, Set<CircuitPair> present) {
        Instant now = surroundings.clock().instant();
        Operation.Builder operation = Operation.newBuilder()
                .setOperationId(request.getOperationId())
                .setDeviceId(request.getDeviceId())
                .setFencing(request.getFencing())
                .setDesiredGeneration(request.getDesiredGeneration())
                .setOutcome(Outcome.OUTCOME_IN_PROGRESS)
                .setBeforeDigest(digest(request.getScope(), present))
                .setAdmittedAt(Times.wire(now))
                .setExpectedDuration(expectedDuration(plan.items()));
        plan.items().forEach(item -> operation.addItems(pending(item)));
        if (request.hasRollbackAfter()) {
            operation.setConfirmBefore(Times.wire(now.plus(Times.duration(request.getRollbackAfter()))));
        }
        StoredOperation stored = new StoredOperation(Digest.ofContent(request), request.getScope(), operation.build());
        Durable.await(surroundings.ledger().write(new LedgerRecord.Admitted(memory.deviceId(), stored)));
        return stored;
    }

    private static ItemResult pending(ItemResult item) {
        return item.getReason() == ItemReason.ITEM_REASON_ALREADY
                ? item
                : item.toBuilder().setState(ItemState.ITEM_STATE_UNKNOWN).build();
    }

    OperationRun run(List<ItemResult> items, SortedMap<CircuitPair, NativeCircuit> present) {
        Capabilities capabilities = mirror.view().description().capabilities();
        boolean selector = mirror.view().description().device().getKind() == DeviceKind.DEVICE_KIND_TRANSCEIVERS
                && capabilities.getBreakBehaviour() == BreakBehaviour.BREAK_BEHAVIOUR_REPLACES;
        return new OperationRun(
                line,
                mirror.ports(),
                surroundings.clock(),
                MoveTime.settling(capabilities, items.size()),
                selector,
                items,
                present);
    }

    /** The operation as it may be reported: its present state, if that is on disk. */
    Optional<StoredOperation> durable(StoredOperation.Key key) {
        Optional<StoredOperation> known = memory.operation(key.role(), key.operationId());
        Durable.await(surroundings.ledger().written(memory.deviceId(), key));
        return known;
    }

    StoredOperation end(StoredOperation stored, OperationRun.Result result) {
        Operation.Builder operation = stored.operation().toBuilder()
                .setOutcome(result.outcome())
                .clearItems()
                .addAllItems(result.items())
                .clearObservedDigest();
        result.circuits().ifPresent(circuits -> operation.setObservedDigest(digest(stored.scope(), circuits.keySet())));
        switch (result.outcome()) {
            case OUTCOME_REJECTED, OUTCOME_ROLLED_BACK ->
                operation
                        .clearConfirmBefore()
                        .setFinishedAt(Times.wire(surroundings.clock().instant()));
            case OUTCOME_APPLIED, OUTCOME_PARTIAL ->
                operation.setFinishedAt(Times.wire(surroundings.clock().instant()));
            case OUTCOME_UNSPECIFIED, OUTCOME_IN_PROGRESS, OUTCOME_UNKNOWN, UNRECOGNIZED -> operation.clearFinishedAt();
        }
        return update(stored, operation.build());
    }

    StoredOperation update(StoredOperation stored, Operation next) {
        Durable.await(surroundings.ledger().write(new LedgerRecord.Updated(memory.deviceId(), next)));
        mirror.operation(next);
        return stored.with(next);
    }

    /**
     * The device's circuits, read now. First every operation with an unknown end is settled by what the device shows.
     * Changes and roll-backs start from here, because the circuits to restore are unknown for an operation that is not
     * settled.
     */
    SortedMap<CircuitPair, NativeCircuit> readSettled() throws DeviceSilentException {
        SortedMap<CircuitPair, NativeCircuit> now = line.read();
        for (StoredOperation stored : List.copyOf(memory.unsettled())) {
            if (stored.isOpen()) {
                line.expect(pairsOf(stored.operation()));
                OperationRun.Result result =
                        run(stored.operation().getItemsList(), now).resolve(late(stored.operation()));
                StoredOperation ended = end(stored, result);
                surroundings.audit().operation("driver", "resolve", ended.operation());
                now = result.circuits().orElse(now);
            }
        }
        return now;
    }

    /**
     * How long a circuit that is not there yet may still appear. A device that shows what it was told, and not what its
     * mirrors do, may show a change that was cut off only once it is done.
     */
    private Duration late(Operation operation) {
        Capabilities capabilities = mirror.view().description().capabilities();
        return capabilities.getReadBack() == ReadBack.READ_BACK_CONFIG_ECHO
                ? MoveTime.settling(capabilities, operation.getItemsCount()).minus(line.sinceCut())
                : Duration.ZERO;
    }

    /**
     * Puts an operation's items back. It awaits no confirmation then, whether or not all could be put back.
     *
     * @throws DeviceSilentException when the device falls silent meanwhile; the operation then goes on awaiting it
     */
    StoredOperation undo(StoredOperation stored, SortedMap<CircuitPair, NativeCircuit> present, ItemReason why)
            throws DeviceSilentException {
        line.expect(pairsOf(stored.operation()));
        StoredOperation ended =
                end(stored, run(stored.operation().getItemsList(), present).undo(why));
        return ended.operation().hasConfirmBefore()
                ? update(
                        ended,
                        ended.operation().toBuilder().clearConfirmBefore().build())
                : ended;
    }

    /** Names of all pairs an operation deals with. */
    static Set<CircuitPair> pairsOf(Operation operation) {
        Set<CircuitPair> pairs = new TreeSet<>();
        operation.getItemsList().forEach(item -> pairs.add(CircuitPair.of(item.getKey())));
        return pairs;
    }

    /** Time the moves take by the device's own figures. */
    com.google.protobuf.Duration expectedDuration(List<ItemResult> items) {
        Capabilities capabilities = mirror.view().description().capabilities();
        Duration each = Times.duration(capabilities.getTypicalSwitchTime());
        long makes = items.stream()
                .filter(i -> i.getAction() == ItemAction.ITEM_ACTION_CONNECT
                        && i.getReason() != ItemReason.ITEM_REASON_ALREADY)
                .count();
        boolean serial = capabilities.getMoveConcurrency() == MoveConcurrency.MOVE_CONCURRENCY_SERIAL;
        return Times.wire(each.multipliedBy(serial ? makes : Math.min(makes, 1)));
    }

    /** The answer to a validate_only request: nothing attempted, nothing remembered. */
    static Operation validated(ApplyCircuitsRequest request, ChangePlan plan, Set<CircuitPair> present) {
        Operation.Builder operation = Operation.newBuilder()
                .setOperationId(request.getOperationId())
                .setDeviceId(request.getDeviceId())
                .setFencing(request.getFencing())
                .setDesiredGeneration(request.getDesiredGeneration())
                .setBeforeDigest(digest(request.getScope(), present))
                .setObservedDigest(digest(request.getScope(), present));
        for (ItemResult item : plan.items()) {
            operation.addItems(
                    item.getReason() == ItemReason.ITEM_REASON_ALREADY
                            ? item
                            : item.toBuilder()
                                    .setReason(ItemReason.ITEM_REASON_VALIDATE_ONLY)
                                    .build());
        }
        return operation.build();
    }

    static String digest(Scope scope, Collection<CircuitPair> circuits) {
        ScopeFilter filter = ScopeFilter.of(scope);
        return Digest.ofCircuits(circuits.stream().filter(filter::touches).toList());
    }
}
