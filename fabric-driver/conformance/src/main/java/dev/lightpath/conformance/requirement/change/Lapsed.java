package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.TimeToConfirm;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A time for a confirmation that is over when nobody awaits one any more. */
public final class Lapsed {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration AFTERWARDS = Duration.ofMillis(500);

    private Lapsed() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "confirmation/lapsed",
                "CircuitService.ConfirmOperation, CancelOperation",
                "What was confirmed, or made again after it was cancelled, stays when the time for the confirmation is over",
                Lapsed::lapsed));
    }

    private static void lapsed(Bench bench) throws Exception {
        TimeToConfirm.growing(bench, LEAST, time -> stays(bench, time));
    }

    private static boolean stays(Bench bench, Duration time) {
        Optional<Operation> kept = ended(bench, time, 0, id -> Confirmation.confirm(bench, id));
        if (kept.isEmpty()) {
            // it was put back
            return false;
        }
        if (ended(bench, time, 1, id -> Confirmation.cancel(bench, id)).isEmpty()) {
            bench.change().unmake(0).apply();
            return false;
        }
        bench.change().make(1).apply();
        bench.pause(time.plus(AFTERWARDS));
        bench.expectMade(0, 1);
        Operation told = bench.operation(kept.get().getOperationId());
        equal("outcome of what was confirmed, after its time,", Outcome.OUTCOME_APPLIED, told.getOutcome());
        that(!told.hasConfirmBefore(), "no confirm_before of what was confirmed", told);
        return true;
    }

    /** The operation that makes the i-th circuit, confirmed or cancelled; empty when its time was over before. */
    private static Optional<Operation> ended(Bench bench, Duration time, int i, Function<String, Operation> end) {
        Change change = bench.change().confirmWithin(time).make(i);
        Operation[] ended = new Operation[1];
        var unused = change.send();
        Optional<Refusal> late = Refusal.ofCall(() -> ended[0] = end.apply(change.id()));
        late.ifPresent(refusal -> that(
                refusal.reason().equals("NOT_PENDING"),
                "an operation that awaits its confirmation to be confirmed or cancelled",
                refusal));
        return Optional.ofNullable(ended[0]);
    }
}
