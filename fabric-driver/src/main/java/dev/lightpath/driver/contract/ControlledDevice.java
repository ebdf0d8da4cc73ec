package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.driver.ledger.StoredOperation;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One device under the contract. Its methods block and may be called from any thread. */
public final class ControlledDevice {
    private static final Duration QUIET_PATIENCE = Duration.ofMillis(100);
    private static final long RETRY_MILLIS = 1000;

    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final GuardedLine line;
    private final Fence fence;
    private final Turns turns;
    private final OperationBook book;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile Optional<List<NativeCircuit>> lastHint = Optional.empty();

    ControlledDevice(DeviceDescription description, Adapter adapter, Surroundings surroundings) {
        this.surroundings = surroundings;
        this.memory = surroundings.ledger().device(description.deviceId());
        this.mirror = new Mirror(description, memory, surroundings.clock(), surroundings.changes());
        this.line = new GuardedLine(adapter, mirror);
        this.fence = new Fence(memory, surroundings.ledger());
        this.turns = new Turns(description.deviceId());
        this.book = new OperationBook(memory, surroundings, mirror, line);
        memory.operations().stream()
                .filter(stored -> stored.operation().hasConfirmBefore())
                .forEach(this::rollBackInTime);
    }

    public DeviceView view() {
        return mirror.view();
    }

    Mirror mirror() {
        return mirror;
    }

    Adapter adapter() {
        return line.adapter();
    }

    void serveBy(Adapter adapter) {
        line.serveBy(adapter);
    }

    // ---- writes ----

    /** Carries out a change, or answers what became of it. */
    public ApplyCircuitsResponse apply(ApplyCircuitsRequest request, String caller) {
        RequestShape.check(request);
        var key = new StoredOperation.Key(request.getFencing().getRole(), request.getOperationId());
        if (request.getValidateOnly()) {
            fence.check(request.getFencing());
            return ApplyCircuitsResponse.newBuilder()
                    .setOperation(validated(request))
                    .build();
        }
        CompletableFuture<Void> fenced = fence.pass(request.getFencing());
        try {
            Optional<StoredOperation> known = book.known(request);
            if (known.isPresent()) {
                return replay(known.get(), key);
            }
            turns.take(new Turns.Running(
                    request.getOperationId(), request.getFencing().getEpoch()));
            try {
                fence.check(request.getFencing());
                Optional<StoredOperation> meanwhile = book.known(request);
                return meanwhile.isPresent()
                        ? answer(meanwhile.get().operation(), true)
                        : answer(carryOut(request, caller), false);
            } finally {
                line.expect(Set.of());
                turns.release();
                lookAgainIfHinted();
            }
        } finally {
            Durable.await(fenced);
        }
    }

    private static ApplyCircuitsResponse answer(Operation operation, boolean replayed) {
        return ApplyCircuitsResponse.newBuilder()
                .setOperation(operation)
                .setReplayed(replayed)
                .build();
    }

    private ApplyCircuitsResponse replay(StoredOperation known, StoredOperation.Key key) {
        if (turns.isRunning(key.operationId())) {
            throw ContractException.inFlight(memory.deviceId(), key.operationId());
        }
        return answer(resolved(known).operation(), true);
    }

    private Operation carryOut(ApplyCircuitsRequest request, String caller) {
        var ports = mirror.ports();
        RequestShape.check(
                request.getDisconnectsList(), request.getConnectsList(), request.getScope(), ports, capabilities());
        SortedMap<CircuitPair, NativeCircuit> present = readOrRefuse();
        book.resolveAll(present);
        present = finishUnconfirmed(request, present);
        compare(request, present);
        ChangePlan plan = plan(
                GuardedLine.pairs(present),
                PlanCircuitsRequest.newBuilder()
                        .setRole(request.getFencing().getRole())
                        .setScope(request.getScope())
                        .addAllDisconnects(request.getDisconnectsList())
                        .addAllConnects(request.getConnectsList())
                        .setConflictPolicy(request.getConflictPolicy())
                        .build());
        StoredOperation admitted = book.admit(request, plan, GuardedLine.pairs(present));
        line.expect(book.pairsOf(admitted.operation()));
        mirror.operation(admitted.operation());
        boolean allOrNothing = switch (request.getAtomicity()) {
            case ATOMICITY_ALL_OR_NOTHING -> true;
            case ATOMICITY_UNSPECIFIED, ATOMICITY_BEST_EFFORT, UNRECOGNIZED -> false;
        };
        OperationRun.Result result = plan.items().isEmpty()
                ? new OperationRun.Result(Outcome.OUTCOME_APPLIED, List.of(), Optional.of(present))
                : book.run(plan.items(), present).run(allOrNothing);
        StoredOperation ended = book.end(admitted, result);
        surroundings.audit().operation(caller, "apply", ended.operation());
        rollBackInTime(ended);
        if (result.circuits().isEmpty()) {
            lookAgainLater();
        }
        return ended.operation();
    }

    private Operation validated(ApplyCircuitsRequest request) {
        RequestShape.check(
                request.getDisconnectsList(),
                request.getConnectsList(),
                request.getScope(),
                mirror.ports(),
                capabilities());
        Set<CircuitPair> present = GuardedLine.pairs(readOrRefuse());
        compare(request, present);
        ChangePlan plan = plan(
                present,
                PlanCircuitsRequest.newBuilder()
                        .setRole(request.getFencing().getRole())
                        .setScope(request.getScope())
                        .addAllDisconnects(request.getDisconnectsList())
                        .addAllConnects(request.getConnectsList())
                        .setConflictPolicy(request.getConflictPolicy())
                        .build());
        return OperationBook.validated(request, plan, present);
    }

    private void compare(ApplyCircuitsRequest request, SortedMap<CircuitPair, NativeCircuit> present) {
        compare(request, present.keySet());
    }

    private void compare(ApplyCircuitsRequest request, Set<CircuitPair> present) {
        String shown = OperationBook.digest(request.getScope(), present);
        if (!request.getExpectedObservedDigest().isEmpty()
                && !request.getExpectedObservedDigest().equals(shown)) {
            throw ContractException.precondition(
                    ErrorReason.ERROR_REASON_DIGEST_DIFFERS,
                    memory.deviceId() + " shows " + shown + " in this scope, not " + request.getExpectedObservedDigest()
                            + "; observe and plan again",
                    Map.of("observed_digest", shown));
        }
    }

    /** Operations that await a confirmation: those of lower epochs are rolled back, one of the same epoch is in the way. */
    private SortedMap<CircuitPair, NativeCircuit> finishUnconfirmed(
            ApplyCircuitsRequest request, SortedMap<CircuitPair, NativeCircuit> present) {
        SortedMap<CircuitPair, NativeCircuit> now = present;
        for (StoredOperation waiting : book.unconfirmed()) {
            Fencing theirs = waiting.operation().getFencing();
            if (theirs.getRole().equals(request.getFencing().getRole())
                    && theirs.getEpoch() == request.getFencing().getEpoch()) {
                throw ContractException.inFlight(
                        memory.deviceId(), waiting.operation().getOperationId());
            }
            StoredOperation ended = book.undo(waiting, now, ItemReason.ITEM_REASON_CANCELLED);
            surroundings.audit().operation("driver", "cancel", ended.operation());
            now = readOrRefuse();
        }
        return now;
    }

    /** Keeps an operation that awaits its confirmation. */
    public Operation confirm(Fencing fencing, String operationId, String caller) {
        RequestShape.check(fencing);
        Durable.await(fence.pass(fencing));
        turns.take(new Turns.Running(operationId, fencing.getEpoch()));
        try {
            StoredOperation stored = book.required(fencing.getRole(), operationId);
            if (!stored.operation().hasConfirmBefore()) {
                if (stored.operation().getOutcome() == Outcome.OUTCOME_APPLIED) {
                    return stored.operation();
                }
                throw notPending(operationId, stored.operation());
            }
            StoredOperation kept = book.update(
                    stored, stored.operation().toBuilder().clearConfirmBefore().build());
            surroundings.audit().operation(caller, "confirm", kept.operation());
            return kept.operation();
        } finally {
            turns.release();
        }
    }

    /** Rolls back an operation that awaits its confirmation. */
    public Operation cancel(Fencing fencing, String operationId, String caller) {
        RequestShape.check(fencing);
        Durable.await(fence.pass(fencing));
        turns.take(new Turns.Running(operationId, fencing.getEpoch()));
        try {
            StoredOperation stored = book.required(fencing.getRole(), operationId);
            if (!stored.operation().hasConfirmBefore()) {
                if (stored.operation().getOutcome() == Outcome.OUTCOME_ROLLED_BACK) {
                    return stored.operation();
                }
                throw notPending(operationId, stored.operation());
            }
            StoredOperation ended = book.undo(stored, readOrRefuse(), ItemReason.ITEM_REASON_CANCELLED);
            surroundings.audit().operation(caller, "cancel", ended.operation());
            return ended.operation();
        } finally {
            line.expect(Set.of());
            turns.release();
            lookAgainIfHinted();
        }
    }

    private static ContractException notPending(String operationId, Operation operation) {
        return ContractException.precondition(
                ErrorReason.ERROR_REASON_NOT_PENDING,
                "operation '" + operationId + "' awaits no confirmation; its outcome is "
                        + operation.getOutcome().name().replace("OUTCOME_", ""),
                Map.of());
    }

    private void rollBackInTime(StoredOperation stored) {
        if (stored.operation().hasConfirmBefore()) {
            Duration left = Duration.between(
                    surroundings.clock().instant(),
                    Times.instant(stored.operation().getConfirmBefore()));
            later(Math.max(0, left.toMillis()), () -> rollBackIfUnconfirmed(stored.key()));
        }
    }

    private void rollBackIfUnconfirmed(StoredOperation.Key key) {
        if (!turns.takeQuietly(Duration.ofMinutes(5))) {
            later(RETRY_MILLIS, () -> rollBackIfUnconfirmed(key));
            return;
        }
        try {
            Optional<StoredOperation> stored = memory.operation(key.role(), key.operationId());
            if (stored.isEmpty() || !stored.get().operation().hasConfirmBefore()) {
                return;
            }
            StoredOperation ended = book.undo(stored.get(), line.read(), ItemReason.ITEM_REASON_NOT_CONFIRMED);
            surroundings.audit().operation("driver", "not confirmed", ended.operation());
            if (ended.operation().hasConfirmBefore()) {
                later(RETRY_MILLIS, () -> rollBackIfUnconfirmed(key));
            }
        } catch (DeviceSilentException silent) {
            later(RETRY_MILLIS, () -> rollBackIfUnconfirmed(key));
        } finally {
            line.expect(Set.of());
            turns.release();
        }
    }

    /** Stores what is said about a port. */
    public PortOverride override(SetPortOverrideRequest request, String caller) {
        RequestShape.check(request.getFencing());
        if (request.getOverride() == PortOverride.PORT_OVERRIDE_UNSPECIFIED
                || request.getOverride() == PortOverride.UNRECOGNIZED) {
            throw ContractException.malformed("override", "allowed are NONE, OUT_OF_SERVICE and SHUTTERED");
        }
        if (request.getReason().length() > 256) {
            throw ContractException.malformed("reason", "allowed are up to 256 characters");
        }
        mirror.ports().requirePort(request.getPort());
        Durable.await(fence.pass(request.getFencing()));
        turns.take(new Turns.Running("", request.getFencing().getEpoch()));
        try {
            shutter(request);
            Durable.await(surroundings
                    .ledger()
                    .write(new LedgerRecord.Overridden(
                            memory.deviceId(), request.getPort(), request.getOverride(), request.getReason())));
            mirror.remembered();
            surroundings
                    .audit()
                    .change(
                            caller,
                            "override",
                            memory.deviceId(),
                            request.getFencing(),
                            request.getPort() + " " + request.getOverride().name() + " " + request.getReason());
            return request.getOverride();
        } finally {
            turns.release();
        }
    }

    private void shutter(SetPortOverrideRequest request) {
        boolean close = request.getOverride() == PortOverride.PORT_OVERRIDE_SHUTTERED;
        if (close && !capabilities().getShutter()) {
            throw ContractException.precondition(
                    ErrorReason.ERROR_REASON_NOT_SUPPORTED,
                    memory.deviceId() + " has no shutters; use OUT_OF_SERVICE",
                    Map.of("capability", "shutter"));
        }
        if (close || memory.override(request.getPort()) == PortOverride.PORT_OVERRIDE_SHUTTERED) {
            try {
                line.adapter().shutter(memory.deviceId(), request.getPort(), close);
            } catch (DeviceSilentException silent) {
                throw ContractException.silent(memory.deviceId(), String.valueOf(silent.getMessage()));
            }
        }
    }

    /** Gives the device to another role. */
    public void transfer(TransferScopeRequest request, String caller) {
        RequestShape.name("from_role", request.getFromRole());
        RequestShape.name("to_role", request.getToRole());
        turns.take(new Turns.Running("transfer", 0));
        try {
            String holding = memory.holdingRole();
            if (!request.getFromRole().equals(holding)) {
                throw ContractException.precondition(
                        ErrorReason.ERROR_REASON_FOREIGN_ROLE,
                        memory.deviceId() + " is held by "
                                + (holding == null ? "nobody" : "role '" + holding + "'") + ", not by '"
                                + request.getFromRole() + "'",
                        Map.of("holding_role", holding == null ? "" : holding));
            }
            Durable.await(surroundings.ledger().write(new LedgerRecord.Held(memory.deviceId(), request.getToRole())));
            mirror.remembered();
            surroundings
                    .audit()
                    .change(
                            caller,
                            "transfer",
                            memory.deviceId(),
                            Fencing.newBuilder().setRole(request.getFromRole()).build(),
                            "to " + request.getToRole());
        } finally {
            turns.release();
        }
    }

    // ---- reads ----

    /** What a change would do now. */
    public PlanCircuitsResponse plan(PlanCircuitsRequest request) {
        RequestShape.check(request.getScope());
        RequestShape.check(
                request.getDisconnectsList(),
                request.getConnectsList(),
                request.getScope(),
                mirror.ports(),
                capabilities());
        Set<CircuitPair> present = GuardedLine.pairs(readOrRefuse());
        ChangePlan plan = plan(present, request);
        return PlanCircuitsResponse.newBuilder()
                .addAllItems(plan.items())
                .setObservedDigest(OperationBook.digest(request.getScope(), present))
                .setPlannedDigest(OperationBook.digest(request.getScope(), plan.planned()))
                .setExpectedDuration(book.expectedDuration(plan.items()))
                .build();
    }

    private ChangePlan plan(Set<CircuitPair> present, PlanCircuitsRequest request) {
        return ChangePlan.of(
                present,
                request.getDisconnectsList(),
                request.getConnectsList(),
                ScopeFilter.of(request.getScope()),
                request.getConflictPolicy(),
                mirror.ports(),
                pair -> ownership(pair, request.getRole()),
                memory::override);
    }

    private ChangePlan.Ownership ownership(CircuitPair pair, String role) {
        if (memory.owner(pair).filter(o -> o.role().equals(role)).isPresent()) {
            return ChangePlan.Ownership.OWN;
        }
        return mirror.ports().isPowerOnPosition(pair) ? ChangePlan.Ownership.POWER_ON : ChangePlan.Ownership.FOREIGN;
    }

    /** An operation as it is known, read back if its end was not seen. */
    public Operation operation(String role, String operationId) {
        StoredOperation stored = book.required(role, operationId);
        return turns.isRunning(operationId)
                ? stored.operation()
                : resolved(stored).operation();
    }

    private StoredOperation resolved(StoredOperation stored) {
        if (!book.isOpen(stored) || !turns.takeQuietly(QUIET_PATIENCE)) {
            return stored;
        }
        try {
            book.resolveAll(line.read());
        } catch (DeviceSilentException stillSilent) {
            return memory.operation(stored.key().role(), stored.key().operationId())
                    .orElse(stored);
        } finally {
            line.expect(Set.of());
            turns.release();
        }
        return memory.operation(stored.key().role(), stored.key().operationId()).orElse(stored);
    }

    /** The view after reading the device's circuits now; {@code true} when it did not answer. */
    public ReadBack readBack() {
        try {
            SortedMap<CircuitPair, NativeCircuit> now = line.readBeside();
            DeviceView seen = mirror.view();
            return new ReadBack(
                    seen, now.keySet().equals(seen.circuits().keySet()) ? Optional.empty() : Optional.of(now), false);
        } catch (DeviceSilentException silent) {
            lookAgainLater();
            return new ReadBack(mirror.view(), Optional.empty(), true);
        }
    }

    /** What a read showed: the view, circuits that are newer than the view, and whether the device was silent. */
    public record ReadBack(DeviceView view, Optional<SortedMap<CircuitPair, NativeCircuit>> newer, boolean silent) {}

    /** Circuits of the device's configuration. */
    public List<NativeCircuit> configured() throws DeviceSilentException {
        return line.adapter().read(memory.deviceId(), CircuitSource.CIRCUIT_SOURCE_CONFIG);
    }

    /** Returns when the device has answered. */
    public void probe() throws DeviceSilentException {
        line.adapter().probe(memory.deviceId());
    }

    /** Factory loss table, in the device's order. */
    public List<FactoryLoss> factoryLoss() throws DeviceSilentException {
        return line.adapter().factoryLoss(memory.deviceId());
    }

    /** UNAVAILABLE, reason DEVICE_SILENT. */
    public static ContractException silent(String deviceId, DeviceSilentException silent) {
        return ContractException.silent(deviceId, String.valueOf(silent.getMessage()));
    }

    private SortedMap<CircuitPair, NativeCircuit> readOrRefuse() {
        try {
            return line.read();
        } catch (DeviceSilentException silent) {
            lookAgainLater();
            throw ContractException.silent(memory.deviceId(), String.valueOf(silent.getMessage()));
        }
    }

    private Capabilities capabilities() {
        return mirror.view().description().capabilities();
    }

    // ---- news from the adapter ----

    void present(DeviceReading reading) {
        boolean idle = !turns.isTaken();
        mirror.present(reading, idle);
        if (!idle || memory.operations().stream().anyMatch(book::isOpen)) {
            later(0, this::lookAgain);
        }
    }

    void hint(List<NativeCircuit> circuits) {
        lastHint = Optional.of(circuits);
        if (!turns.isTaken()) {
            lookAgainIfHinted();
        }
    }

    private void lookAgainIfHinted() {
        Optional<List<NativeCircuit>> hint = lastHint;
        lastHint = Optional.empty();
        if (hint.isPresent() && !mirror.shows(hint.get())) {
            later(0, this::lookAgain);
        }
    }

    private void lookAgainLater() {
        later(RETRY_MILLIS, this::lookAgain);
    }

    /** Reads the device and settles operations whose end was not seen; asks again while it is silent. */
    private void lookAgain() {
        if (!refreshing.compareAndSet(false, true)) {
            return;
        }
        boolean again = false;
        try {
            if (turns.takeQuietly(QUIET_PATIENCE)) {
                try {
                    book.resolveAll(line.read());
                } finally {
                    line.expect(Set.of());
                    turns.release();
                }
            } else {
                again = true;
            }
        } catch (DeviceSilentException silent) {
            again = mirror.view().availability() != Availability.AVAILABILITY_REMOVED;
        } finally {
            refreshing.set(false);
        }
        if (again) {
            lookAgainLater();
        }
    }

    private void later(long millis, Runnable work) {
        if (millis == 0) {
            Thread.startVirtualThread(work);
        } else if (!surroundings.timers().isShutdown()) {
            var unused = surroundings
                    .timers()
                    .schedule(() -> Thread.startVirtualThread(work), millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Refuses with NOT_FOUND. */
    static ContractException noSuchOperation(String deviceId, String role, String operationId) {
        return new ContractException(
                Code.NOT_FOUND,
                ErrorReason.ERROR_REASON_NO_SUCH_OPERATION,
                deviceId + " has no operation '" + operationId + "' of role '" + role + "'",
                Map.of("operation_id", operationId));
    }

    /** Names of all pairs an operation deals with. */
    static Set<CircuitPair> pairsOf(Operation operation) {
        Set<CircuitPair> pairs = new TreeSet<>();
        operation.getItemsList().forEach(item -> pairs.add(CircuitPair.of(item.getKey())));
        return pairs;
    }
}
