package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.WhileItRuns;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A change that came while another ran, and is sent again as it was. */
public final class Aborted {
    private static final Duration BACK_OFF = Duration.ofMillis(50);

    private Aborted() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "operations/aborted-may-be-repeated",
                "ERROR_REASON_OPERATION_IN_FLIGHT; ApplyCircuitsResponse.replayed",
                "A change that was ABORTED is no operation, and is carried out when it is sent again with its id",
                Aborted::mayBeRepeated));
    }

    private static void mayBeRepeated(Bench bench) throws Exception {
        WhileItRuns.look(bench, slow -> {
            Change second = bench.change().make(1);
            Optional<Refusal> refusal = Refusal.ofCall(() -> {
                var unused = bench.calls().circuits().applyCircuits(second.request());
            });
            if (refusal.isEmpty()) {
                bench.change().unmake(1).apply();
                return false;
            }
            that(refusal.get().isForLater(), "a second change at once ABORTED, or BUSY", refusal.get());
            refused(
                    "GetOperation of a change that was ABORTED, or BUSY",
                    () -> {
                        var unused = bench.operation(second.id());
                    },
                    Status.Code.NOT_FOUND,
                    "NO_SUCH_OPERATION");
            if (bench.terms().faults().isPresent()) {
                bench.faults().mend();
            }
            ApplyCircuitsResponse again = repeated(bench, second);
            that(!again.getReplayed(), "not replayed, for what was ABORTED is no operation", again);
            equal(
                    "outcome of what was ABORTED before",
                    Outcome.OUTCOME_APPLIED,
                    again.getOperation().getOutcome());
            bench.expectMade(0, 1);
            return true;
        });
    }

    /** Sends it again while it is ABORTED, as a client does that backs off. */
    private static ApplyCircuitsResponse repeated(Bench bench, Change change) {
        long deadline = System.nanoTime() + bench.terms().patience().toNanos();
        while (true) {
            ApplyCircuitsResponse[] answer = new ApplyCircuitsResponse[1];
            Optional<Refusal> refusal =
                    Refusal.ofCall(() -> answer[0] = bench.calls().circuits().applyCircuits(change.request()));
            if (refusal.isEmpty()) {
                return answer[0];
            }
            boolean busy = refusal.get().isForLater();
            if (!busy || System.nanoTime() - deadline > 0) {
                throw new Unmet(
                        "a change that was ABORTED to be carried out once nothing is in flight",
                        refusal.get().toString());
            }
            bench.pause(BACK_OFF);
        }
    }
}
