package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.TimeToConfirm;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.time.Duration;
import java.util.List;

/** A time for a confirmation that is over when a higher epoch has put the operation back long ago. */
public final class Superseded {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration AFTERWARDS = Duration.ofMillis(500);

    private Superseded() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "confirmation/lapsed-of-a-lower-epoch",
                "Higher epochs; ApplyCircuitsRequest.rollback_after",
                "What a higher epoch made stays when the time is over of what it rolled back",
                Superseded::lapsed));
    }

    private static void lapsed(Bench bench) throws Exception {
        TimeToConfirm.growing(bench, LEAST, time -> {
            Change lower = bench.change().confirmWithin(time).make(0);
            var unused = lower.send();
            bench.raiseEpoch();
            bench.change().make(0).apply();
            Operation ended = bench.operation(lower.id());
            equal(
                    "outcome of the unconfirmed operation of a lower epoch",
                    Outcome.OUTCOME_ROLLED_BACK,
                    ended.getOutcome());
            if (isCancelled(ended)) {
                bench.pause(time.plus(AFTERWARDS));
                bench.expectMade(0);
                equal("operation that was rolled back, after its time,", ended, bench.operation(lower.id()));
                return true;
            }
            bench.change().unmake(0).apply();
            return false;
        });
    }

    private static boolean isCancelled(Operation operation) {
        return operation.getItemsList().stream().noneMatch(i -> i.getReason() == ItemReason.ITEM_REASON_NOT_CONFIRMED);
    }
}
