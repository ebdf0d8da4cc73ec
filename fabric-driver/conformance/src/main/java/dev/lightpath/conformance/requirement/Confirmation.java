package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.protobuf.Timestamp;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Changes that are put back unless confirmed. */
public final class Confirmation {
    private static final String SECTION = "ApplyCircuitsRequest.rollback_after";
    public static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(300);

    /** Moves that a change may take before the time for its confirmation is over. */
    static final int MOVES = 4;

    private Confirmation() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "confirmation/in-time",
                        "CircuitService.ConfirmOperation",
                        "A confirmed operation stays; until then it is in the way of others of its epoch",
                        Confirmation::inTime),
                new Requirement(
                        "confirmation/too-late",
                        SECTION,
                        "What is not confirmed in time is put back, and GetOperation says so",
                        Confirmation::tooLate),
                new Requirement(
                        "confirmation/cancel",
                        "CircuitService.CancelOperation",
                        "A cancelled operation is put back, implied disconnects too; cancelling again answers the same",
                        Confirmation::cancel),
                new Requirement(
                        "confirmation/unknown",
                        "ERROR_REASON_NO_SUCH_OPERATION",
                        "Confirming or cancelling what was never admitted is NOT_FOUND",
                        Confirmation::unknown),
                new Requirement(
                        "confirmation/told",
                        "OperationChanged",
                        "A stream is told of an operation that is confirmed, and of one that is rolled back",
                        Confirmation::told),
                new Requirement(
                        "confirmation/in-a-snapshot",
                        "DeviceSnapshot.operations",
                        "The snapshot of a new stream has the operation that awaits its confirmation",
                        Confirmation::inASnapshot),
                new Requirement(
                        "confirmation/not-pending",
                        "ERROR_REASON_NOT_PENDING",
                        "Cancelling what awaits no confirmation is refused, and changes nothing",
                        Confirmation::notPending),
                new Requirement(
                        "confirmation/higher-epoch",
                        "Higher epochs",
                        "A higher epoch rolls back what awaits a confirmation of a lower one",
                        Confirmation::higherEpoch));
    }

    public static void requireConfirmation(Bench bench) {
        if (!bench.device().capabilities().getConfirmedCommit()) {
            throw new Inapplicable("capabilities: no confirmed_commit");
        }
    }

    public static Operation confirm(Bench bench, String id) {
        return bench.calls()
                .circuits()
                .confirmOperation(ConfirmOperationRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFencing(bench.fencing())
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    public static Operation cancel(Bench bench, String id) {
        return bench.calls()
                .circuits()
                .cancelOperation(CancelOperationRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFencing(bench.fencing())
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    private static void inTime(Bench bench) {
        requireConfirmation(bench);
        Change change = bench.change().confirmWithin(LONG).make(0);
        Operation pending = change.apply();
        that(pending.hasConfirmBefore(), "confirm_before", pending);
        Duration given = between(pending.getAdmittedAt(), pending.getConfirmBefore());
        that(
                given.minus(LONG).abs().compareTo(bench.terms().patience()) < 0,
                "confirm_before " + LONG + " after the operation",
                pending);
        equal(
                "operation answered to a repetition while it awaits its confirmation",
                pending,
                change.send().getOperation());
        var beside = bench.change()
                .make(1)
                .refused("a change beside an unconfirmed one", Status.Code.ABORTED, "OPERATION_IN_FLIGHT");
        equal("metadata operation_id", change.id(), beside.detail("operation_id"));
        Operation kept = confirm(bench, change.id());
        equal("outcome", Outcome.OUTCOME_APPLIED, kept.getOutcome());
        that(!kept.hasConfirmBefore(), "no confirm_before any more", kept);
        equal("operation confirmed again", kept, confirm(bench, change.id()));
        bench.change().make(1).apply();
        bench.expectMade(0, 1);
    }

    private static Duration between(Timestamp from, Timestamp to) {
        return Duration.between(
                Instant.ofEpochSecond(from.getSeconds(), from.getNanos()),
                Instant.ofEpochSecond(to.getSeconds(), to.getNanos()));
    }

    private static void undone(Operation operation, ItemReason why) {
        that(!operation.hasConfirmBefore(), "no confirm_before of what was rolled back", operation);
        operation.getItemsList().forEach(item -> {
            equal(
                    "state of " + Circuits.text(item.getKey()) + " after the roll-back",
                    ItemState.ITEM_STATE_ROLLED_BACK,
                    item.getState());
            equal("reason of " + Circuits.text(item.getKey()), why, item.getReason());
        });
    }

    private static void told(Bench bench) {
        requireConfirmation(bench);
        try (Watching watching = bench.watch()) {
            Change kept = bench.change().confirmWithin(LONG).make(0);
            kept.apply();
            Operation confirmed = confirm(bench, kept.id());
            watching.await(
                    "the operation as it was confirmed",
                    m -> m.getOperationChanged().getOperation().equals(confirmed));
            Change undone = bench.change().confirmWithin(LONG).make(1);
            undone.apply();
            Operation cancelled = cancel(bench, undone.id());
            watching.await(
                    "the operation as it was rolled back",
                    m -> m.getOperationChanged().getOperation().equals(cancelled));
        }
    }

    private static void unknown(Bench bench) {
        requireConfirmation(bench);
        String nobodys = bench.newId();
        refused(
                "confirming what was never admitted",
                () -> {
                    var unused = confirm(bench, nobodys);
                },
                Status.Code.NOT_FOUND,
                "NO_SUCH_OPERATION");
        refused(
                "cancelling what was never admitted",
                () -> {
                    var unused = cancel(bench, nobodys);
                },
                Status.Code.NOT_FOUND,
                "NO_SUCH_OPERATION");
    }

    private static void tooLate(Bench bench) {
        requireConfirmation(bench);
        bench.change().make(0).apply();
        String before = bench.read().getObservedDigest();
        Change change = bench.change()
                .confirmWithin(bench.atLeast(SHORT, MOVES))
                .disconnect(bench.layout().circuit(0))
                .connect(bench.layout().alternative(0));
        var unused = applied(change);
        Operation ended = bench.await(
                "the unconfirmed operation to be rolled back",
                () -> bench.operation(change.id()),
                o -> o.getOutcome() == Outcome.OUTCOME_ROLLED_BACK);
        equal("digest after the roll-back", before, ended.getObservedDigest());
        undone(ended, ItemReason.ITEM_REASON_NOT_CONFIRMED);
        bench.expectMade(0);
        refused(
                "confirming too late",
                () -> {
                    var confirmed = confirm(bench, change.id());
                },
                Status.Code.FAILED_PRECONDITION,
                "NOT_PENDING");
    }

    /** Sends it; false where its moves took so long that its time was up before, and it was put back. */
    public static boolean applied(Change change) {
        Operation answered = change.send().getOperation();
        that(
                answered.getOutcome() == Outcome.OUTCOME_APPLIED
                        || answered.getOutcome() == Outcome.OUTCOME_ROLLED_BACK,
                "outcome APPLIED, or ROLLED_BACK when its time is up already",
                answered);
        return answered.getOutcome() == Outcome.OUTCOME_APPLIED;
    }

    private static void cancel(Bench bench) {
        requireConfirmation(bench);
        bench.change().make(0).apply();
        Change change = bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .confirmWithin(LONG)
                .connect(bench.layout().alternative(0))
                .make(1);
        change.apply();
        Operation cancelled = cancel(bench, change.id());
        equal("outcome", Outcome.OUTCOME_ROLLED_BACK, cancelled.getOutcome());
        undone(cancelled, ItemReason.ITEM_REASON_CANCELLED);
        equal("operation cancelled, as GetOperation has it,", cancelled, bench.operation(change.id()));
        equal("operation cancelled again", cancelled, cancel(bench, change.id()));
        refusedAsNotPending("confirming what was cancelled", () -> {
            var unused = confirm(bench, change.id());
        });
        ApplyCircuitsResponse again = change.send();
        that(again.getReplayed(), "replayed, for what was put back happened once too", again);
        bench.expectMade(0);
        var back = bench.read().getCircuitsList().stream()
                .filter(c -> c.getKey().equals(bench.layout().circuit(0)))
                .findFirst()
                .orElseThrow();
        that(
                !back.getForeign() && back.getRole().equals(bench.role()),
                "not foreign, and of role " + bench.role() + ", for the driver put it back",
                back);
    }

    private static void inASnapshot(Bench bench) {
        requireConfirmation(bench);
        Change change = bench.change().confirmWithin(LONG).make(0);
        Operation pending = change.apply();
        try (Watching watching = bench.watch()) {
            watching.await(
                    "a snapshot with the operation " + change.id(),
                    m -> m.getSnapshot().getOperationsList().stream().anyMatch(o -> isListed(o, pending)));
        }
        var unused = confirm(bench, change.id());
        try (Watching watching = bench.watch()) {
            watching.await(
                    "a snapshot without the operation that was confirmed",
                    m -> m.hasSnapshot() && m.getSnapshot().getOperationsList().isEmpty());
        }
    }

    private static boolean isListed(Operation listed, Operation pending) {
        return listed.getOperationId().equals(pending.getOperationId())
                && listed.getOutcome() == pending.getOutcome()
                && listed.getConfirmBefore().equals(pending.getConfirmBefore());
    }

    private static void notPending(Bench bench) {
        requireConfirmation(bench);
        Operation done = bench.change().make(0).apply();
        refusedAsNotPending("cancelling what awaits no confirmation", () -> {
            var unused = cancel(bench, done.getOperationId());
        });
        Change change = bench.change().confirmWithin(LONG).make(1);
        change.apply();
        var kept = confirm(bench, change.id());
        refusedAsNotPending("cancelling what was confirmed", () -> {
            var unused = cancel(bench, kept.getOperationId());
        });
        bench.expectMade(0, 1);
    }

    private static void refusedAsNotPending(String what, Runnable call) {
        var unused = refused(what, call, Status.Code.FAILED_PRECONDITION, "NOT_PENDING");
    }

    private static void higherEpoch(Bench bench) {
        requireConfirmation(bench);
        Change change = bench.change().confirmWithin(LONG).make(0);
        change.apply();
        bench.raiseEpoch();
        bench.change().make(1).apply();
        Operation ended = bench.operation(change.id());
        equal("outcome of the unconfirmed operation of a lower epoch", Outcome.OUTCOME_ROLLED_BACK, ended.getOutcome());
        undone(ended, ItemReason.ITEM_REASON_CANCELLED);
        bench.expectMade(1);
    }
}
