package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;

/** What is refused before the device is looked at, and what is only checked. */
final class Shapes {
    private static final String MALFORMED = "ERROR_REASON_MALFORMED";

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
                        "limits/unknown-device",
                        "ERROR_REASON_NO_SUCH_DEVICE",
                        "A change of a device that is not there is NOT_FOUND",
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

    private static void unknownDevice(Bench bench) {
        bench.change()
                .edit(r -> r.setDeviceId("no-such-device"))
                .make(0)
                .refused("a device that is not there", Status.Code.NOT_FOUND, "NO_SUCH_DEVICE");
    }

    static void requireValidation(Bench bench) {
        if (!bench.device().capabilities().getValidateOnly()) {
            throw new Inapplicable("capabilities: no validate_only");
        }
    }

    private static void changesNothing(Bench bench) {
        requireValidation(bench);
        Change change = bench.change().validateOnly().make(0);
        Operation checked = change.send().getOperation();
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
