package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.MessageLite;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.FencedCall;
import dev.lightpath.conformance.requirement.NoSuchDevice;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.ProbeRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is refused before the device is looked at, and what is only checked. */
public final class Shapes {
    private static final String MALFORMED = "ERROR_REASON_MALFORMED";
    private static final String NOBODY = NoSuchDevice.NAME;
    private static final int MANY = 64;

    private Shapes() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "limits/fencing",
                        MALFORMED,
                        "Fencing needs a role and an epoch of at least 1, in every fenced call",
                        Shapes::fencing),
                new Requirement(
                        "limits/operation-id",
                        "ApplyCircuitsRequest.operation_id",
                        "An operation id has 1 to 128 characters",
                        Shapes::operationId),
                new Requirement(
                        "limits/rollback-after",
                        "ApplyCircuitsRequest.rollback_after",
                        "A roll-back may be awaited for one hour, and no longer",
                        Shapes::rollbackAfter),
                new Requirement(
                        "limits/batch",
                        "ERROR_REASON_BATCH_TOO_LARGE",
                        "More items than max_batch are refused with RESOURCE_EXHAUSTED",
                        Shapes::batch),
                new Requirement(
                        "limits/whole-batch",
                        "Capabilities.max_batch",
                        "As many items as max_batch promises, or as the free ports allow, are accepted",
                        Shapes::wholeBatch),
                new Requirement(
                        "limits/many-at-once",
                        "CircuitService; ERROR_REASON_BUSY",
                        "Many changes at once are carried out, ABORTED, or BUSY with RetryInfo; GetOperation knows those that timed out",
                        Shapes::manyAtOnce),
                new Requirement(
                        "limits/unknown-device",
                        "ERROR_REASON_NO_SUCH_DEVICE",
                        "Every call that names a device that is not there is NOT_FOUND",
                        Shapes::unknownDevice),
                new Requirement(
                        "validate/changes-nothing",
                        "ApplyCircuitsRequest.validate_only",
                        "validate_only checks, changes nothing and remembers nothing",
                        Shapes::changesNothing),
                new Requirement(
                        "validate/finds-what-apply-would",
                        "ApplyCircuitsRequest.validate_only",
                        "validate_only refuses what the change itself would be refused for",
                        Shapes::findsWhatApplyWould));
    }

    private static void malformed(Change change, String what, String field) {
        change.refused(what, Status.Code.INVALID_ARGUMENT, "MALFORMED").expectField(field);
    }

    private static void malformed(Runnable call, String what, String field) {
        refused(what, call, Status.Code.INVALID_ARGUMENT, "MALFORMED").expectField(field);
    }

    private static void fencing(Bench bench) {
        malformed(bench.change().role("").make(0), "no role", "role");
        malformed(bench.change().epoch(0).make(0), "epoch 0", "epoch");
        Fencing noRole = bench.fencing().toBuilder().clearRole().build();
        Fencing noEpoch = bench.fencing().toBuilder().clearEpoch().build();
        for (FencedCall call : FencedCall.all(bench)) {
            malformed(() -> call.send(bench, noRole), call + " of no role", "role");
            malformed(() -> call.send(bench, noEpoch), call + " of epoch 0", "epoch");
        }
        bench.expectMade();
    }

    private static void operationId(Bench bench) {
        malformed(bench.change().id("").make(0), "no operation id", "operation_id");
        malformed(bench.change().id("x".repeat(129)).make(0), "an operation id of 129 characters", "operation_id");
        String longest = (bench.newId() + "x".repeat(128)).substring(0, 128);
        bench.change().id(longest).make(0).apply();
        equal(
                "operation_id of 128 characters",
                longest,
                bench.operation(longest).getOperationId());
        String wide = (bench.newId() + "\u00e9".repeat(128)).substring(0, 128);
        bench.change().id(wide).unmake(0).apply();
        equal(
                "operation_id of 128 characters, most of two bytes,",
                wide,
                bench.operation(wide).getOperationId());
    }

    private static void rollbackAfter(Bench bench) {
        Confirmation.requireConfirmation(bench);
        malformed(
                bench.change().confirmWithin(Duration.ofSeconds(3601)).make(0),
                "a roll-back after more than an hour",
                "rollback_after");
        malformed(
                bench.change().confirmWithin(Duration.ofSeconds(-1)).make(0),
                "a roll-back before it is applied",
                "rollback_after");
        bench.expectMade();
        Operation pending =
                bench.change().confirmWithin(Duration.ofHours(1)).make(0).apply();
        that(pending.hasConfirmBefore(), "confirm_before of a roll-back after just an hour", pending);
    }

    private static void batch(Bench bench) {
        int most = bench.device().mostItems();
        List<Port> entries = nameable(bench)
                .filter(p -> p.getSide() == PortSide.PORT_SIDE_BOTH
                        || p.getSide() == PortSide.PORT_SIDE_INGRESS
                        || p.getSide() == PortSide.PORT_SIDE_COMMON)
                .toList();
        if (entries.size() <= most) {
            throw new Inapplicable(
                    "needs more items than max_batch, and only " + entries.size() + " ports may be named in them");
        }
        requireValidation(bench);
        Change change = bench.change()
                .validateOnly()
                .edit(r -> r.getScopeBuilder().clear().setAllPorts(true));
        entries.stream().limit(most + 1L).forEach(p -> change.disconnect(Circuits.key(p.getName(), "")));
        var refusal = change.refusedAsTooLarge((most + 1) + " items");
        equal("metadata max_batch", Integer.toString(most), refusal.detail("max_batch"));
        Change both = bench.change()
                .validateOnly()
                .edit(r -> r.getScopeBuilder().clear().setAllPorts(true))
                .make(0);
        entries.stream()
                .filter(p -> !p.getName().equals(bench.layout().circuit(0).getIngress()))
                .limit(Math.max(0, most + 1L - both.items()))
                .forEach(p -> both.disconnect(Circuits.key(p.getName(), "")));
        both.refusedAsTooLarge(both.items() + " items, disconnects and connects together,");
    }

    /** Ports that may be named in a request that only checks: those of --scratch-ports, or all. */
    private static Stream<Port> nameable(Bench bench) {
        List<String> scratch = bench.terms().scratchPorts();
        return bench.device().inventory().getPortsList().stream()
                .filter(p -> scratch.isEmpty() || scratch.contains(p.getName()));
    }

    private static void wholeBatch(Bench bench) {
        requireValidation(bench);
        int most = bench.device().mostItems();
        Set<String> used = bench.device().circuits().getCircuitsList().stream()
                .flatMap(c -> Stream.of(c.getKey().getIngress(), c.getKey().getEgress()))
                .collect(Collectors.toSet());
        List<CircuitKey> dark = nameable(bench)
                .filter(p -> p.getSide() == PortSide.PORT_SIDE_BOTH || p.getSide() == PortSide.PORT_SIDE_INGRESS)
                .filter(p -> !used.contains(p.getName()))
                .limit(most)
                .map(p -> Circuits.key(p.getName(), ""))
                .toList();
        if (dark.isEmpty()) {
            throw new Inapplicable("every ingress that may be named has a circuit");
        }
        Operation checked = bench.change()
                .validateOnly()
                .edit(r -> r.getScopeBuilder().clear().setAllPorts(true))
                .edit(r -> r.addAllDisconnects(dark))
                .send()
                .getOperation();
        equal("number of items of a batch of " + dark.size(), dark.size(), checked.getItemsCount());
    }

    private static void manyAtOnce(Bench bench) {
        List<Change> changes = Stream.generate(bench::change).limit(MANY).toList();
        List<ListenableFuture<ApplyCircuitsResponse>> calls = changes.stream()
                .map(c -> bench.calls().circuitsLater().applyCircuits(c.request()))
                .toList();
        for (int i = 0; i < MANY; i++) {
            ListenableFuture<ApplyCircuitsResponse> call = calls.get(i);
            Change change = changes.get(i);
            Optional<Refusal> refusal = Refusal.ofCall(() -> equal(
                    "operation_id of the answer",
                    change.id(),
                    answered(call).getOperation().getOperationId()));
            if (refusal.isEmpty()) {
                equal(
                        "outcome",
                        Outcome.OUTCOME_APPLIED,
                        bench.operation(change.id()).getOutcome());
            } else if (saysNothing(refusal.get().code())) {
                bench.await(
                        "GetOperation to say that a change that timed out is APPLIED, or was never admitted",
                        () -> outcome(bench, change.id()),
                        o -> o.isEmpty() || o.get() == Outcome.OUTCOME_APPLIED);
            } else {
                that(
                        isAborted(refusal.get()) || isBusy(refusal.get()),
                        "one of " + MANY + " changes at once to be carried out, to be ABORTED with reason"
                                + " OPERATION_IN_FLIGHT, or RESOURCE_EXHAUSTED with reason BUSY and a RetryInfo",
                        refusal.get());
            }
        }
    }

    /** Codes after which only GetOperation tells. */
    private static boolean saysNothing(Status.Code code) {
        return code == Status.Code.DEADLINE_EXCEEDED || code == Status.Code.UNAVAILABLE;
    }

    private static boolean isAborted(Refusal refusal) {
        return refusal.code() == Status.Code.ABORTED && refusal.reason().equals("OPERATION_IN_FLIGHT");
    }

    private static boolean isBusy(Refusal refusal) {
        return refusal.code() == Status.Code.RESOURCE_EXHAUSTED
                && refusal.reason().equals("BUSY")
                && refusal.retryAfter().isPresent();
    }

    /** What became of an operation; empty when it was never admitted. */
    private static Optional<Outcome> outcome(Bench bench, String id) {
        try {
            return Optional.of(bench.operation(id).getOutcome());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static ApplyCircuitsResponse answered(ListenableFuture<ApplyCircuitsResponse> call) {
        try {
            return call.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw Status.fromThrowable(e).asRuntimeException(Status.trailersFromThrowable(e));
        }
    }

    private static void unknownDevice(Bench bench) {
        var circuits = bench.calls().circuits();
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put(
                "ApplyCircuits",
                () -> called(circuits.applyCircuits(
                        bench.change().make(0).edit(r -> r.setDeviceId(NOBODY)).request())));
        calls.put(
                "PlanCircuits",
                () -> called(circuits.planCircuits(PlanCircuitsRequest.newBuilder()
                        .setDeviceId(NOBODY)
                        .setRole(bench.role())
                        .setScope(bench.layout().scope())
                        .addConnects(bench.layout().circuit(0))
                        .build())));
        calls.put(
                "GetOperation",
                () -> called(circuits.getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(NOBODY)
                        .setRole(bench.role())
                        .setOperationId("none")
                        .build())));
        if (bench.device().capabilities().getConfirmedCommit()) {
            calls.put(
                    "ConfirmOperation",
                    () -> called(circuits.confirmOperation(ConfirmOperationRequest.newBuilder()
                            .setDeviceId(NOBODY)
                            .setFencing(bench.fencing())
                            .setOperationId("none")
                            .build())));
            calls.put(
                    "CancelOperation",
                    () -> called(circuits.cancelOperation(CancelOperationRequest.newBuilder()
                            .setDeviceId(NOBODY)
                            .setFencing(bench.fencing())
                            .setOperationId("none")
                            .build())));
        }
        calls.put(
                "GetCircuits",
                () -> called(circuits.getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(NOBODY))
                        .build())));
        calls.put(
                "SetPortOverride",
                () -> called(circuits.setPortOverride(SetPortOverrideRequest.newBuilder()
                        .setDeviceId(NOBODY)
                        .setFencing(bench.fencing())
                        .setPort(bench.layout().circuit(0).getEgress())
                        .setOverride(PortOverride.PORT_OVERRIDE_NONE)
                        .build())));
        calls.put(
                "TransferScope",
                () -> called(circuits.transferScope(TransferScopeRequest.newBuilder()
                        .setDeviceId(NOBODY)
                        .setFromRole(bench.role())
                        .setToRole(bench.role() + "-other")
                        .build())));
        calls.put(
                "Probe",
                () -> called(bench.calls()
                        .identity()
                        .probe(ProbeRequest.newBuilder().setDeviceId(NOBODY).build())));
        if (bench.device().capabilities().getInsertionLossData()) {
            calls.put(
                    "ListFactoryLoss",
                    () -> called(bench.calls()
                            .inventory()
                            .listFactoryLoss(ListFactoryLossRequest.newBuilder()
                                    .setDeviceId(NOBODY)
                                    .build())));
        }
        calls.forEach((name, call) -> NoSuchDevice.refuses(bench, name, call));
    }

    /** Only whether it was answered matters. */
    private static void called(MessageLite answer) {
        var unused = answer.getSerializedSize();
    }

    public static void requireValidation(Bench bench) {
        if (!bench.device().capabilities().getValidateOnly()) {
            throw new Inapplicable("capabilities: no validate_only");
        }
    }

    private static void changesNothing(Bench bench) {
        requireValidation(bench);
        Change change = bench.change().validateOnly().make(0);
        Operation checked = change.send().getOperation();
        equal("outcome of a validation", Outcome.OUTCOME_UNSPECIFIED, checked.getOutcome());
        checked.getItemsList()
                .forEach(i -> equal(
                        "state of " + Circuits.text(i.getKey()), ItemState.ITEM_STATE_NOT_ATTEMPTED, i.getState()));
        checked.getItemsList()
                .forEach(i -> equal(
                        "reason of " + Circuits.text(i.getKey()), ItemReason.ITEM_REASON_VALIDATE_ONLY, i.getReason()));
        bench.expectMade();
        refused(
                "GetOperation of a validation",
                () -> {
                    var unused = bench.operation(change.id());
                },
                Status.Code.NOT_FOUND,
                "NO_SUCH_OPERATION");
        bench.change().id(change.id()).make(1).apply();
        bench.expectMade(1);
    }

    private static void findsWhatApplyWould(Bench bench) {
        requireValidation(bench);
        bench.change().make(0).apply();
        bench.change()
                .validateOnly()
                .connect(bench.layout().alternative(0))
                .refused("validating a second circuit of an ingress", Status.Code.FAILED_PRECONDITION, "PORT_IN_USE");
        bench.change()
                .validateOnly()
                .expecting(Circuits.ANOTHER_STATE)
                .make(1)
                .refused("validating against another state", Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
        CircuitKey wanted = bench.layout().circuit(1);
        bench.change()
                .validateOnly()
                .connect(wanted)
                .connect(bench.layout().alternative(1))
                .refused("validating an ingress used twice", Status.Code.INVALID_ARGUMENT, "PORT_USED_TWICE");
        bench.change()
                .validateOnly()
                .scope(bench.layout().scope(0))
                .connect(wanted)
                .refused("validating a circuit outside the scope", Status.Code.INVALID_ARGUMENT, "OUTSIDE_SCOPE");
        bench.change()
                .validateOnly()
                .edit(r -> r.getScopeBuilder().clear().setAllPorts(true))
                .connect(Circuits.key(wanted.getIngress(), "no-such-port"))
                .refused("validating an unknown port", Status.Code.INVALID_ARGUMENT, "NO_SUCH_PORT");
        bench.change()
                .validateOnly()
                .disconnect(bench.layout().alternative(0))
                .refused(
                        "validating to disconnect another circuit than is there",
                        Status.Code.FAILED_PRECONDITION,
                        "NO_SUCH_CIRCUIT");
        var unused = bench.override(wanted.getEgress(), PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        bench.change()
                .validateOnly()
                .make(1)
                .refused(
                        "validating a circuit at a port out of service",
                        Status.Code.FAILED_PRECONDITION,
                        "PORT_OUT_OF_SERVICE");
    }
}
