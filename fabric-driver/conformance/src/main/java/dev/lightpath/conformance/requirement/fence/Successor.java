package dev.lightpath.conformance.requirement.fence;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.FencedCall;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.WhileItRuns;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;

/** An operation that still runs or waits, and somebody of another epoch or role who knows its name. */
public final class Successor {
    private Successor() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "idempotency/successor-repeats-at-once",
                        "Idempotency; Fencing; Higher epochs",
                        "A running operation, sent again by a higher epoch, is no second one, and by a lower one is refused",
                        Successor::repeatsAtOnce),
                new Requirement(
                        "confirmation/fenced",
                        "Fencing; CircuitService.ConfirmOperation, CancelOperation",
                        "What awaits its confirmation is neither kept nor put back by a lower epoch or another role",
                        Successor::fenced));
    }

    private static void repeatsAtOnce(Bench bench) throws Exception {
        bench.raiseEpoch();
        bench.change().apply();
        WhileItRuns.look(bench, slow -> {
            long running = bench.epoch();
            bench.change()
                    .id(slow.id())
                    .make(0)
                    .epoch(running - 1)
                    .refused(
                            "a running operation sent again by a lower epoch",
                            Status.Code.PERMISSION_DENIED,
                            "STALE_EPOCH");
            bench.raiseEpoch();
            boolean runs = WhileItRuns.runs(bench, slow);
            ApplyCircuitsResponse[] answer = new ApplyCircuitsResponse[1];
            Change again = bench.change().id(slow.id()).make(0);
            Optional<Refusal> refusal =
                    Refusal.ofCall(() -> answer[0] = bench.calls().circuits().applyCircuits(again.request()));
            refusal.ifPresent(r ->
                    that(r.isForLater(), "a running operation, sent again by a higher epoch, answered or ABORTED", r));
            if (refusal.isEmpty()) {
                that(answer[0].getReplayed(), "replayed, for a higher epoch repeats what runs already", answer[0]);
            }
            Operation ended = bench.await(
                    "the operation to end",
                    () -> bench.operation(slow.id()),
                    o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
            equal(
                    "epoch of an operation that a higher one sent again",
                    running,
                    ended.getFencing().getEpoch());
            bench.expectMade(0);
            return runs;
        });
    }

    private static void fenced(Bench bench) {
        Confirmation.requireConfirmation(bench);
        bench.change().apply();
        Fencing lower = bench.fencing();
        bench.raiseEpoch();
        Fencing others = bench.fencing().toBuilder()
                .setRole(bench.role() + "-other")
                .setEpoch(bench.epoch() + 1000)
                .build();
        Change change = bench.change().confirmWithin(Confirmation.LONG).make(0);
        Operation pending = change.apply();
        expectFenced(bench, change.id(), "of a lower epoch", lower, "STALE_EPOCH");
        expectFenced(bench, change.id(), "of another role", others, "FOREIGN_ROLE");
        equal("operation that awaits its confirmation still", pending, bench.operation(change.id()));
        bench.expectMade(0);
    }

    private static void expectFenced(Bench bench, String id, String whose, Fencing fencing, String reason) {
        refused(
                "a confirmation " + whose,
                () -> FencedCall.confirm(bench, fencing, id),
                Status.Code.PERMISSION_DENIED,
                reason);
        refused(
                "a cancellation " + whose,
                () -> FencedCall.cancel(bench, fencing, id),
                Status.Code.PERMISSION_DENIED,
                reason);
    }
}
