package dev.lightpath.conformance.requirement.fence;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.FencedCall;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.Roles;
import dev.lightpath.conformance.requirement.change.Shapes;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import io.grpc.Status;
import java.util.List;

/** The highest epoch writes, and nobody below it. */
public final class Fences {
    private static final String SECTION = "Fencing; ERROR_REASON_STALE_EPOCH";
    /** Most that an epoch may be above the stored one. */
    private static final long MOST_RAISED = 1L << 20;

    private static final String NEXT_HOLDER = "the-next-leader";

    private Fences() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "fencing/lower-epoch",
                        SECTION,
                        "A lower epoch is refused with the stored epoch and holder, and nothing moves",
                        Fences::lowerEpoch),
                new Requirement(
                        "fencing/one-holder",
                        "Fencing.holder",
                        "The stored epoch of another holder is refused, and its first holder is told and writes on",
                        Fences::oneHolder),
                new Requirement(
                        "fencing/repetition",
                        SECTION + "; ApplyCircuitsRequest.operation_id",
                        "A repetition is fenced like any write: a lower epoch is refused, a higher one is remembered",
                        Fences::repetition),
                new Requirement(
                        "fencing/empty-change-raises",
                        "CircuitService.ApplyCircuits",
                        "A change without items raises the epoch and reads the scope",
                        Fences::emptyChangeRaises),
                new Requirement(
                        "fencing/refused-change-raises",
                        SECTION,
                        "The epoch of a change is stored before the change is looked at, also of one that is refused",
                        Fences::refusedChangeRaises),
                new Requirement(
                        "fencing/every-write",
                        SECTION,
                        "ConfirmOperation, CancelOperation and SetPortOverride are fenced too",
                        Fences::everyWrite),
                new Requirement(
                        "fencing/every-write-raises",
                        SECTION,
                        "The epoch of any fenced call is the highest seen from then on",
                        Fences::everyWriteRaises),
                new Requirement(
                        "fencing/validation-raises-nothing",
                        "ApplyCircuitsRequest.validate_only",
                        "validate_only is fenced, and raises no epoch",
                        Fences::validationRaisesNothing),
                new Requirement(
                        "fencing/far-epoch",
                        "Fencing.epoch; ERROR_REASON_EPOCH_TOO_HIGH",
                        "An epoch more than 2^20 above the stored one is refused, and is not stored",
                        Fences::farEpoch),
                new Requirement(
                        "fencing/epoch-by-transfer",
                        "TransferScopeRequest.highest_epoch",
                        "TransferScope to the holding role sets its stored epoch, above or below the one before",
                        Fences::epochByTransfer),
                new Requirement(
                        "fencing/reads-are-free",
                        "CircuitService",
                        "Reads and plans are never fenced",
                        Fences::readsAreFree));
    }

    private static void lowerEpoch(Bench bench) {
        long lower = bench.epoch();
        long higher = bench.raiseEpoch();
        bench.change()
                .make(0)
                .edit(r -> r.getFencingBuilder().setHolder(NEXT_HOLDER))
                .apply();
        Refusal refusal = bench.change()
                .epoch(lower)
                .make(1)
                .refused("epoch " + lower + " after " + higher, Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        equal("metadata stored_epoch", Long.toUnsignedString(higher), refusal.detail("stored_epoch"));
        equal("metadata stored_holder", NEXT_HOLDER, refusal.detail("stored_holder"));
        bench.change()
                .epoch(lower)
                .expecting(Circuits.ANOTHER_STATE)
                .refused(
                        "epoch " + lower + " that expects another state", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        bench.expectMade(0);
        bench.raiseEpoch();
    }

    private static void oneHolder(Bench bench) {
        bench.change().make(0).apply();
        Refusal refusal = bench.change()
                .make(1)
                .edit(r -> r.getFencingBuilder().setHolder("another"))
                .refused("the same epoch of another holder", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        String first = bench.fencing().getHolder();
        equal("metadata stored_epoch", Long.toUnsignedString(bench.epoch()), refusal.detail("stored_epoch"));
        equal("metadata stored_holder", first, refusal.detail("stored_holder"));
        equal("highest_epoch_holder", first, bench.read().getHighestEpochHolder());
        bench.change().make(1).apply();
        bench.expectMade(0, 1);
    }

    private static void repetition(Bench bench) {
        long lower = bench.epoch();
        Change change = bench.change().make(0);
        Operation first = change.apply();
        bench.raiseEpoch();
        change.epoch(bench.epoch());
        ApplyCircuitsResponse again = change.send();
        that(again.getReplayed(), "replayed for the next epoch", "carried out again");
        equal("operation answered to the repetition, who asked first included,", first, again.getOperation());
        equal("highest_epoch after a repetition", bench.epoch(), bench.read().getHighestEpoch());
        change.epoch(lower).refused("a repetition of a lower epoch", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
    }

    private static void emptyChangeRaises(Bench bench) {
        long lower = bench.epoch();
        bench.raiseEpoch();
        String shown = bench.read().getObservedDigest();
        equal(
                "observed_digest of an empty change",
                shown,
                bench.change().apply().getObservedDigest());
        bench.change()
                .epoch(lower)
                .make(0)
                .refused("the epoch before an empty change's", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        equal("highest_epoch", bench.epoch(), bench.read().getHighestEpoch());
        bench.expectMade();
    }

    private static void refusedChangeRaises(Bench bench) {
        bench.change().make(0).apply();
        long lower = bench.epoch();
        bench.raiseEpoch();
        bench.change()
                .expecting(Circuits.ANOTHER_STATE)
                .make(1)
                .refused("a change that expects another state", Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
        bench.change()
                .epoch(lower)
                .make(1)
                .refused("the epoch before a refused change's", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
    }

    private static void everyWrite(Bench bench) {
        Fencing lower = bench.fencing();
        bench.raiseEpoch();
        bench.change().apply();
        FencedCall.all(bench)
                .forEach(call -> equal(
                        "metadata stored_epoch, refusing " + call,
                        Long.toUnsignedString(bench.epoch()),
                        refused(
                                        call + " of a lower epoch",
                                        () -> call.send(bench, lower),
                                        Status.Code.PERMISSION_DENIED,
                                        "STALE_EPOCH")
                                .detail("stored_epoch")));
    }

    private static void everyWriteRaises(Bench bench) {
        for (FencedCall call : FencedCall.all(bench)) {
            Fencing lower = bench.fencing();
            bench.raiseEpoch();
            var unused = Refusal.ofCall(() -> call.send(bench, bench.fencing()));
            equal("highest_epoch after " + call, bench.epoch(), bench.read().getHighestEpoch());
            bench.change()
                    .epoch(lower.getEpoch())
                    .refused(
                            "a change of the epoch before that of " + call,
                            Status.Code.PERMISSION_DENIED,
                            "STALE_EPOCH");
        }
    }

    private static void validationRaisesNothing(Bench bench) {
        Shapes.requireValidation(bench);
        bench.change().apply();
        long stored = bench.epoch();
        var unused = bench.change().epoch(stored + 1).validateOnly().make(0).send();
        equal("highest_epoch after validate_only", stored, bench.read().getHighestEpoch());
        bench.change()
                .epoch(stored - 1)
                .validateOnly()
                .make(0)
                .refused("validate_only of a lower epoch", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        bench.change()
                .role(bench.role() + "-other")
                .validateOnly()
                .make(0)
                .refused("validate_only of another role", Status.Code.PERMISSION_DENIED, "FOREIGN_ROLE");
    }

    private static void farEpoch(Bench bench) {
        bench.change().apply();
        long stored = bench.epoch();
        Refusal refusal = bench.change()
                .epoch(stored + MOST_RAISED + 1)
                .make(0)
                .refused("epoch " + stored + " + 2^20 + 1", Status.Code.PERMISSION_DENIED, "EPOCH_TOO_HIGH");
        equal("metadata stored_epoch", Long.toUnsignedString(stored), refusal.detail("stored_epoch"));
        bench.change()
                .epoch(-1)
                .make(0)
                .refused("the highest epoch there is", Status.Code.PERMISSION_DENIED, "EPOCH_TOO_HIGH");
        equal("highest_epoch after epochs too far off", stored, bench.read().getHighestEpoch());
        bench.change().make(0).apply();
        bench.expectMade(0);
    }

    private static void epochByTransfer(Bench bench) {
        bench.change().apply();
        long stored = bench.epoch();
        long far = stored + 2 * MOST_RAISED;
        for (long next : new long[] {far, stored}) {
            equal(
                    "highest_epoch set by a transfer",
                    next,
                    Roles.give(bench, bench.role(), bench.role(), next).getHighestEpoch());
            equal("highest_epoch after that", next, bench.read().getHighestEpoch());
        }
        var unused = Roles.give(bench, bench.role(), bench.role(), far);
        bench.change().make(0).refused("an epoch below the set one", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        var again = Roles.give(bench, bench.role(), bench.role(), stored);
        equal("holding_role", bench.role(), again.getHoldingRole());
        bench.change().make(0).apply();
        bench.expectMade(0);
    }

    private static void readsAreFree(Bench bench) {
        bench.raiseEpoch();
        String id = bench.change().make(0).apply().getOperationId();
        equal("operation read without fencing", id, bench.operation(id).getOperationId());
        bench.expectMade(0);
        for (String role : List.of("", bench.role() + "-other")) {
            var plan = Foretelling.plan(bench, bench.layout().alternative(0), role);
            equal(
                    "digest of a plan of role '" + role + "'",
                    bench.read().getObservedDigest(),
                    plan.getObservedDigest());
        }
    }
}
