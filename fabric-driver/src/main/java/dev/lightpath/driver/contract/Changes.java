package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.StoredOperation;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Changes of circuits: checked, admitted, carried out, replayed. */
final class Changes {
    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final GuardedLine line;
    private final Fence fence;
    private final WriterLock writerLock;
    private final OperationBook book;
    private final DevicePoller poller;
    private final Confirmations confirmations;

    Changes(DeviceParts parts, DevicePoller poller, Confirmations confirmations) {
        surroundings = parts.surroundings();
        memory = parts.memory();
        mirror = parts.mirror();
        line = parts.line();
        fence = parts.fence();
        writerLock = parts.writerLock();
        book = parts.book();
        this.poller = poller;
        this.confirmations = confirmations;
    }

    /** Carries out a change, or answers what became of it. */
    ApplyCircuitsResponse apply(ApplyCircuitsRequest request, Writer caller) {
        RequestShape.check(request);
        var key = new StoredOperation.Key(request.getFencing().getRole(), request.getOperationId());
        if (request.getValidateOnly()) {
            fence.check(request.getFencing(), caller);
            return ApplyCircuitsResponse.newBuilder()
                    .setOperation(validated(request))
                    .build();
        }
        Fence.Passage fenced = fence.pass(request.getFencing(), caller);
        try {
            Optional<StoredOperation> known = book.known(request);
            if (known.isPresent()) {
                return replay(known.get(), key);
            }
            writerLock.take(new WriterLock.Running(
                    request.getOperationId(), request.getFencing().getEpoch()));
            try {
                fence.check(request.getFencing(), caller);
                Optional<StoredOperation> meanwhile = book.known(request);
                return meanwhile.isPresent()
                        ? answer(meanwhile.get().operation(), true)
                        : answer(carryOut(request, caller.name()), false);
            } finally {
                poller.release();
            }
        } finally {
            fenced.await();
        }
    }

    private static ApplyCircuitsResponse answer(Operation operation, boolean replayed) {
        return ApplyCircuitsResponse.newBuilder()
                .setOperation(operation)
                .setReplayed(replayed)
                .build();
    }

    private ApplyCircuitsResponse replay(StoredOperation known, StoredOperation.Key key) {
        if (writerLock.isRunning(key.operationId())) {
            throw ContractException.inFlight(memory.deviceId(), key.operationId());
        }
        return answer(poller.resolved(known).operation(), true);
    }

    private Operation carryOut(ApplyCircuitsRequest request, String caller) {
        Durable.require(surroundings.ledger());
        var ports = mirror.ports();
        RequestShape.check(
                request.getDisconnectsList(), request.getConnectsList(), request.getScope(), ports, capabilities());
        SortedMap<CircuitPair, NativeCircuit> present =
                confirmations.finishUnconfirmed(request, poller.readSettledOrRefuse());
        compare(request, present);
        ChangePlan plan = plan(present, planOf(request));
        StoredOperation admitted = book.admit(request, plan, GuardedLine.pairs(present));
        line.expect(OperationBook.pairsOf(admitted.operation()));
        mirror.operation(admitted.operation());
        boolean allOrNothing = switch (request.getAtomicity()) {
            case ATOMICITY_ALL_OR_NOTHING -> true;
            case ATOMICITY_UNSPECIFIED, ATOMICITY_BEST_EFFORT, UNRECOGNIZED -> false;
        };
        OperationRun.Result result = plan.items().isEmpty()
                ? new OperationRun.Result(Outcome.OUTCOME_APPLIED, List.of(), Optional.of(present))
                : book.run(plan.items(), present).run(allOrNothing);
        writerLock.ending();
        StoredOperation ended = end(admitted, result);
        confirmations.rollBackInTime(ended);
        surroundings.audit().operation(caller, "apply", ended.operation());
        if (result.circuits().isEmpty()) {
            poller.lookAgainLater();
        }
        return ended.operation();
    }

    /** A finished operation is rolled back in time even if its end cannot be stored. */
    private StoredOperation end(StoredOperation admitted, OperationRun.Result result) {
        try {
            return book.end(admitted, result);
        } catch (ContractException notDurable) {
            confirmations.rollBackInTime(admitted);
            throw notDurable;
        }
    }

    private static PlanCircuitsRequest planOf(ApplyCircuitsRequest request) {
        return PlanCircuitsRequest.newBuilder()
                .setRole(request.getFencing().getRole())
                .setScope(request.getScope())
                .addAllDisconnects(request.getDisconnectsList())
                .addAllConnects(request.getConnectsList())
                .setConflictPolicy(request.getConflictPolicy())
                .build();
    }

    private Operation validated(ApplyCircuitsRequest request) {
        RequestShape.check(
                request.getDisconnectsList(),
                request.getConnectsList(),
                request.getScope(),
                mirror.ports(),
                capabilities());
        SortedMap<CircuitPair, NativeCircuit> present = poller.readOrRefuse();
        compare(request, present);
        ChangePlan plan = plan(present, planOf(request));
        return OperationBook.validated(request, plan, present.keySet());
    }

    private void compare(ApplyCircuitsRequest request, SortedMap<CircuitPair, NativeCircuit> present) {
        String shown = OperationBook.digest(request.getScope(), present.keySet());
        if (!request.getExpectedObservedDigest().isEmpty()
                && !request.getExpectedObservedDigest().equals(shown)) {
            throw ContractException.precondition(
                    ErrorReason.ERROR_REASON_DIGEST_DIFFERS,
                    memory.deviceId() + " shows " + shown + " in this scope, not " + request.getExpectedObservedDigest()
                            + "; observe and plan again",
                    Map.of("observed_digest", shown));
        }
    }

    /** What a change would do now. */
    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
        RequestShape.check(request.getScope());
        RequestShape.check(
                request.getDisconnectsList(),
                request.getConnectsList(),
                request.getScope(),
                mirror.ports(),
                capabilities());
        SortedMap<CircuitPair, NativeCircuit> present = poller.readOrRefuse();
        ChangePlan plan = plan(present, request);
        return PlanCircuitsResponse.newBuilder()
                .addAllItems(plan.items())
                .setObservedDigest(OperationBook.digest(request.getScope(), present.keySet()))
                .setPlannedDigest(OperationBook.digest(request.getScope(), plan.planned()))
                .setExpectedDuration(book.expectedDuration(plan.items()))
                .build();
    }

    private ChangePlan plan(SortedMap<CircuitPair, NativeCircuit> present, PlanCircuitsRequest request) {
        return ChangePlan.of(
                present,
                request.getDisconnectsList(),
                request.getConnectsList(),
                new ChangePlan.Terms(
                        ScopeFilter.of(request.getScope()),
                        request.getConflictPolicy(),
                        mirror.ports(),
                        pair -> ownership(pair, request.getRole()),
                        memory::override));
    }

    private ChangePlan.Ownership ownership(CircuitPair pair, String role) {
        if (memory.owner(pair).filter(o -> o.role().equals(role)).isPresent()) {
            return ChangePlan.Ownership.OWN;
        }
        return mirror.ports().isPowerOnPosition(pair) ? ChangePlan.Ownership.POWER_ON : ChangePlan.Ownership.FOREIGN;
    }

    private Capabilities capabilities() {
        return mirror.view().description().capabilities();
    }
}
