package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.WhileItRuns;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;

/** The id of an operation that runs, waits, failed or was put back, used for another request. */
public final class OtherContent {
    private OtherContent() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "idempotency/other-content-while-it-runs",
                        "ERROR_REASON_OPERATION_ID_REUSED",
                        "The id of a running operation with other content is refused, and not answered as a repetition",
                        OtherContent::whileItRuns),
                new Requirement(
                        "idempotency/other-content-of-what-waits",
                        "ERROR_REASON_OPERATION_ID_REUSED; ApplyCircuitsRequest.rollback_after",
                        "The id of what awaits a confirmation, or was put back, with other content is refused",
                        OtherContent::ofWhatWaits),
                new Requirement(
                        "partial/other-content",
                        "ERROR_REASON_OPERATION_ID_REUSED",
                        "The id of what failed in part with other content is refused",
                        OtherContent::ofWhatFailed));
    }

    /** While something is in flight a driver may say that first. */
    private static void expectNotTaken(Bench bench, String what, Change other) {
        Optional<Refusal> refusal = Refusal.ofCall(() -> {
            var unused = bench.calls().circuits().applyCircuits(other.request());
        });
        that(
                refusal.filter(r -> r.reason().equals("OPERATION_ID_REUSED") || r.isForLater())
                        .isPresent(),
                what + " refused with OPERATION_ID_REUSED, or ABORTED",
                refusal.map(Refusal::toString).orElse("it was answered"));
    }

    private static void whileItRuns(Bench bench) throws Exception {
        WhileItRuns.look(bench, slow -> {
            boolean runs = WhileItRuns.runs(bench, slow);
            expectNotTaken(
                    bench,
                    "the id of a running operation with other items",
                    bench.change().id(slow.id()).make(1));
            return runs;
        });
    }

    private static void ofWhatWaits(Bench bench) {
        Confirmation.requireConfirmation(bench);
        Change waits = bench.change().confirmWithin(Confirmation.LONG).make(0);
        waits.apply();
        expectNotTaken(
                bench,
                "the id of an unconfirmed operation with other items",
                bench.change().id(waits.id()).confirmWithin(Confirmation.LONG).make(1));
        Change longer = bench.change()
                .id(waits.id())
                .confirmWithin(Confirmation.LONG.multipliedBy(2))
                .make(0);
        expectNotTaken(bench, "the id of an unconfirmed operation with another rollback_after", longer);
        bench.expectMade(0);
        Operation unused = Confirmation.cancel(bench, waits.id());
        longer.refused(
                "the id of what was cancelled with another rollback_after",
                Status.Code.INVALID_ARGUMENT,
                "OPERATION_ID_REUSED");
        bench.change()
                .id(waits.id())
                .make(1)
                .refused(
                        "the id of what was cancelled with other items",
                        Status.Code.INVALID_ARGUMENT,
                        "OPERATION_ID_REUSED");
        bench.expectMade();
    }

    private static void ofWhatFailed(Bench bench) throws Exception {
        CircuitKey dead = bench.failing();
        Change failed = bench.change().makeInstead(1, dead).make(0);
        var unused = failed.send();
        bench.change()
                .id(failed.id())
                .make(0)
                .refused(
                        "the id of what failed in part with fewer items",
                        Status.Code.INVALID_ARGUMENT,
                        "OPERATION_ID_REUSED");
    }
}
