package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.SlowOperation;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Operations that are confirmed or cancelled while they run. A driver may wait for their end, or refuse; whatever it
 * says must be what comes of it.
 */
public final class EndedEarly {
    private EndedEarly() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "operations/confirmed-while-it-runs",
                        "CircuitService.ConfirmOperation; Operation.confirm_before",
                        "An operation confirmed while it runs awaits no confirmation when it has ended; where that is refused, it does",
                        EndedEarly::confirmed),
                new Requirement(
                        "operations/cancelled-while-it-runs",
                        "CircuitService.CancelOperation",
                        "An operation cancelled while it runs ends put back; where that is refused, it goes on and may be cancelled then",
                        EndedEarly::cancelled),
                new Requirement(
                        "operations/not-pending-while-it-runs",
                        "CircuitService.CancelOperation; ERROR_REASON_NOT_PENDING",
                        "A running operation that will await no confirmation is not cancelled",
                        EndedEarly::notPending));
    }

    /** What was answered, or what it was refused with. */
    private record Answer(Optional<Operation> operation, Optional<Refusal> refusal) {
        static Answer to(String what, Supplier<Operation> call) {
            Operation[] answer = new Operation[1];
            Optional<Refusal> refusal = Refusal.ofCall(() -> answer[0] = call.get());
            refusal.ifPresent(r -> {
                if (saysNothing(r)) {
                    throw new Inapplicable(what + " was not answered: " + r);
                }
                that(
                        r.isForLater() || isNotPending(r),
                        what + " to be carried out, or refused with NOT_PENDING or OPERATION_IN_FLIGHT",
                        r);
            });
            return new Answer(Optional.ofNullable(answer[0]), refusal);
        }

        private static boolean isNotPending(Refusal refusal) {
            return refusal.code() == Status.Code.FAILED_PRECONDITION
                    && refusal.reason().equals("NOT_PENDING");
        }

        private static boolean saysNothing(Refusal refusal) {
            return refusal.code() == Status.Code.DEADLINE_EXCEEDED || refusal.code() == Status.Code.UNAVAILABLE;
        }
    }

    private static SlowOperation awaited(Bench bench) throws Exception {
        Confirmation.requireConfirmation(bench);
        SlowOperation.slow(bench);
        return SlowOperation.making(bench, 0, change -> change.confirmWithin(Confirmation.LONG));
    }

    private static void confirmed(Bench bench) throws Exception {
        SlowOperation slow = awaited(bench);
        Answer answer = Answer.to("confirming a running operation", () -> Confirmation.confirm(bench, slow.id()));
        answer.operation()
                .ifPresent(kept -> that(!kept.hasConfirmBefore(), "no confirm_before of what was confirmed", kept));
        Operation ended = ended(bench, slow);
        if (answer.refusal().isPresent()) {
            expectPending(ended, "confirmation");
            ended = Confirmation.confirm(bench, slow.id());
        }
        equal("outcome of what was confirmed", Outcome.OUTCOME_APPLIED, ended.getOutcome());
        that(!ended.hasConfirmBefore(), "no confirm_before of what was confirmed", ended);
        bench.change().apply();
        bench.expectMade(0);
    }

    private static void cancelled(Bench bench) throws Exception {
        SlowOperation slow = awaited(bench);
        Answer answer = Answer.to("cancelling a running operation", () -> Confirmation.cancel(bench, slow.id()));
        answer.operation()
                .ifPresent(o -> equal(
                        "outcome in the answer to the cancellation", Outcome.OUTCOME_ROLLED_BACK, o.getOutcome()));
        Operation ended = ended(bench, slow);
        if (answer.refusal().isPresent()) {
            expectPending(ended, "cancellation");
            bench.expectMade(0);
            ended = Confirmation.cancel(bench, slow.id());
        }
        equal("outcome of what was cancelled", Outcome.OUTCOME_ROLLED_BACK, ended.getOutcome());
        that(!ended.hasConfirmBefore(), "no confirm_before of what was cancelled", ended);
        bench.expectMade();
    }

    private static void notPending(Bench bench) throws Exception {
        Confirmation.requireConfirmation(bench);
        SlowOperation.slow(bench);
        SlowOperation slow = SlowOperation.making(bench, 0);
        Answer answer = Answer.to(
                "cancelling a running operation that has no rollback_after",
                () -> Confirmation.cancel(bench, slow.id()));
        that(
                answer.refusal().isPresent(),
                "a running operation that has no rollback_after not to be cancelled",
                answer.operation());
        equal(
                "outcome of an operation whose cancellation was refused",
                Outcome.OUTCOME_APPLIED,
                ended(bench, slow).getOutcome());
        bench.expectMade(0);
    }

    private static void expectPending(Operation ended, String refused) {
        equal("outcome of an operation whose " + refused + " was refused", Outcome.OUTCOME_APPLIED, ended.getOutcome());
        that(ended.hasConfirmBefore(), "confirm_before, for its " + refused + " was refused", ended);
    }

    /** What is told of it when its caller has an answer too. */
    private static Operation ended(Bench bench, SlowOperation slow) throws InterruptedException {
        try {
            var unused = slow.call().get();
        } catch (ExecutionException cut) {
            // what GetOperation tells counts
        }
        return slow.ended(bench);
    }
}
