package dev.lightpath.conformance.requirement;

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
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
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
final class Shapes {
    private static final String MALFORMED = "ERROR_REASON_MALFORMED";
    private static final String NOBODY = "no-such-device";
    private static final int MANY = 64;

    private Shapes() {}

    static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "limits/fencing",
                        MALFORMED,
                        "Fencing needs a role and an epoch of at least 1",
                        Shapes::fencing),
                new Requirement(
                        "limits/operation-id",
                        "ApplyCircuitsRequest.operation_id",
                        "An operation id has 1 to 128 characters",
                        Shapes::operationId),
                new Requirement(
                        "limits/rollback-after",
                        "ApplyCircuitsRequest.rollback_after",
                        "A roll-back may be awaited for one hour at most",
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
                        "Of many changes at once each is carried out, ABORTED, or BUSY with RetryInfo; none is lost",
                        Shapes::manyAtOnce),
                new Requirement(
                        "limits/unknown-device",
                        "ERROR_REASON_NO_SUCH_DEVICE",
                        "Every call that names a device that is not there is NOT_FOUND",
                        Shapes::unknownDevice),
                new Requirement(
                        "validate/changes-nothing",
                        "ApplyCircuitsRequest.validate_only",
                        "validate_only checks, changes nothing and remembers nothing; where capabilities deny it, it is refused",
                        Shapes::changesNothing),
                new Requirement(
                        "validate/finds-what-apply-would",
                        "ApplyCircuitsRequest.validate_only",
                        "validate_only refuses what the change itself would be refused for",
                        Shapes::findsWhatApplyWould));
    }

    private static void malformed(Change change, String what, String field) {
        var refusal = change.refused(what, Status.Code.INVALID_ARGUMENT, "MALFORMED");
        that(refusal.detail("field").contains(field), "metadata field to name " + field, refusal.detail("field"));
    }

    private static void fencing(Bench bench) {
        malformed(bench.change().role("").make(0), "no role", "role");
        malformed(bench.change().epoch(0).make(0), "epoch 0", "epoch");
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
    }

    private static void rollbackAfter(Bench bench) {
        Confirmation.requireConfirmation(bench);
        malformed(
                bench.change().confirmWithin(Duration.ofSeconds(3601)).make(0),
                "a roll-back after more than an hour",
                "rollback_after");
        bench.expectMade();
    }

    private static void batch(Bench bench) {
        int most = bench.device().capabilities().getMaxBatch();
        List<Port> entries = bench.device().inventory().getPortsList().stream()
                .filter(p -> p.getSide() == PortSide.PORT_SIDE_BOTH
                        || p.getSide() == PortSide.PORT_SIDE_INGRESS
                        || p.getSide() == PortSide.PORT_SIDE_COMMON)
                .toList();
        if (entries.size() <= most) {
            throw new Inapplicable(
                    "the device takes " + most + " items and has only " + entries.size() + " ports to name in them");
        }
        requireValidation(bench);
        Change change = bench.change()
                .validateOnly()
                .edit(r -> r.getScopeBuilder().clear().setAllPorts(true));
        entries.stream().limit(most + 1L).forEach(p -> change.disconnect(Circuits.key(p.getName(), "")));
        var refusal = change.refused((most + 1) + " items", Status.Code.RESOURCE_EXHAUSTED, "BATCH_TOO_LARGE");
        equal("metadata max_batch", Integer.toString(most), refusal.detail("max_batch"));
    }

    private static void wholeBatch(Bench bench) {
        requireValidation(bench);
        int most = bench.device().capabilities().getMaxBatch();
        Set<String> used = bench.device().circuits().getCircuitsList().stream()
                .flatMap(c -> Stream.of(c.getKey().getIngress(), c.getKey().getEgress()))
                .collect(Collectors.toSet());
        List<CircuitKey> dark = bench.device().inventory().getPortsList().stream()
                .filter(p -> p.getSide() == PortSide.PORT_SIDE_BOTH || p.getSide() == PortSide.PORT_SIDE_INGRESS)
                .filter(p -> !used.contains(p.getName()))
                .limit(most)
                .map(p -> Circuits.key(p.getName(), ""))
                .toList();
        if (dark.isEmpty()) {
            throw new Inapplicable("every ingress of the device has a circuit");
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
            refusal.ifPresent(r -> that(
                    r.code() == Status.Code.ABORTED && r.reason().equals("OPERATION_IN_FLIGHT")
                            || r.code() == Status.Code.RESOURCE_EXHAUSTED
                                    && r.reason().equals("BUSY")
                                    && r.retryAfter().isPresent(),
                    "one of " + MANY + " changes at once to be carried out, to be ABORTED with reason"
                            + " OPERATION_IN_FLIGHT, or RESOURCE_EXHAUSTED with reason BUSY and a RetryInfo",
                    r));
            if (refusal.isEmpty()) {
                equal(
                        "outcome",
                        Outcome.OUTCOME_APPLIED,
                        bench.operation(change.id()).getOutcome());
            }
        }
    }

    private static ApplyCircuitsResponse answered(ListenableFuture<ApplyCircuitsResponse> call) {
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
                        .setScope(bench.layout().scope())
                        .build())));
        calls.put(
                "GetOperation",
                () -> called(circuits.getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(NOBODY)
                        .setRole(bench.role())
                        .setOperationId("none")
                        .build())));
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
                        .setPort("1")
                        .setOverride(PortOverride.PORT_OVERRIDE_NONE)
                        .build())));
        calls.put(
                "TransferScope",
                () -> called(circuits.transferScope(TransferScopeRequest.newBuilder()
                        .setDeviceId(NOBODY)
                        .setFromRole(bench.role())
                        .setToRole(bench.role())
                        .build())));
        calls.put(
                "Probe",
                () -> called(bench.calls()
                        .identity()
                        .probe(ProbeRequest.newBuilder().setDeviceId(NOBODY).build())));
        calls.put(
                "ListFactoryLoss",
                () -> called(bench.calls()
                        .inventory()
                        .listFactoryLoss(ListFactoryLossRequest.newBuilder()
                                .setDeviceId(NOBODY)
                                .build())));
        calls.forEach((name, call) ->
                refused(name + " of a device that is not there", call, Status.Code.NOT_FOUND, "NO_SUCH_DEVICE"));
    }

    /** Only whether it was answered matters. */
    private static void called(MessageLite answer) {
        var unused = answer.getSerializedSize();
    }

    static void requireValidation(Bench bench) {
        if (!bench.device().capabilities().getValidateOnly()) {
            throw new Inapplicable("capabilities: no validate_only");
        }
    }

    private static void changesNothing(Bench bench) {
        Change change = bench.change().validateOnly().make(0);
        if (!bench.device().capabilities().getValidateOnly()) {
            var refusal = change.refused(
                    "validate_only, which the capabilities deny,", Status.Code.FAILED_PRECONDITION, "NOT_SUPPORTED");
            equal("metadata capability", "validate_only", refusal.detail("capability"));
            bench.expectMade();
            return;
        }
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
                .expecting("sha256:of another state")
                .make(1)
                .refused("validating against another state", Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
    }
}
