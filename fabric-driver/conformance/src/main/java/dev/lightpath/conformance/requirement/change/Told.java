package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.TimeToConfirm;
import dev.lightpath.conformance.requirement.stream.Streams;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.time.Duration;
import java.util.List;

/** Operations that did not end as they were asked for, on a stream. */
public final class Told {
    private static final Duration SHORT = Duration.ofMillis(500);

    private Told() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "confirmation/told-unasked",
                        "OperationChanged; CircuitsChanged",
                        "A stream is told what the policy broke, and of a roll-back that nobody asked for: in time, and by a higher epoch",
                        Told::unasked),
                new Requirement(
                        "partial/told",
                        "OperationChanged",
                        "A stream is told of operations that failed in part, were rejected, or were put back",
                        Told::failed));
    }

    private static void unasked(Bench bench) throws Exception {
        Confirmation.requireConfirmation(bench);
        bench.change().make(0).apply();
        TimeToConfirm.growing(bench, SHORT, time -> inTime(bench, time));
        try (Watching watching = bench.watch()) {
            Change lower = bench.change().confirmWithin(Confirmation.LONG).make(1);
            lower.apply();
            bench.raiseEpoch();
            bench.change().apply();
            expectTold(watching, rolledBack(bench, lower.id()), "the operation as a higher epoch rolled it back");
        }
    }

    /** False when it was rolled back before it was answered, and what it broke was there again before it was read. */
    private static boolean inTime(Bench bench, Duration time) {
        CircuitKey broken = bench.layout().circuit(0);
        CircuitKey made = bench.layout().alternative(0);
        boolean circuits = Streams.carries(bench, StreamKind.STREAM_KIND_CIRCUITS);
        try (Watching watching = bench.watch()) {
            Change late = bench.change()
                    .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                    .confirmWithin(time)
                    .connect(made);
            if (!Confirmation.applied(late)) {
                return false;
            }
            if (circuits) {
                expectRemoved(watching, broken, "which the policy broke");
            }
            Operation ended = rolledBack(bench, late.id());
            expectTold(watching, ended, "the operation as it was rolled back in time");
            if (circuits) {
                watching.awaitDigest(bench.deviceId(), ended.getObservedDigest());
                expectRemoved(watching, made, "which was not confirmed");
            }
            return true;
        }
    }

    private static Operation rolledBack(Bench bench, String id) {
        Operation ended = bench.await(
                "the unconfirmed operation to be rolled back",
                () -> bench.operation(id),
                o -> o.getOutcome() == Outcome.OUTCOME_ROLLED_BACK);
        that(!ended.hasConfirmBefore(), "no confirm_before of what was rolled back", ended);
        return ended;
    }

    private static void expectTold(Watching watching, Operation operation, String what) {
        watching.await(what, m -> m.getOperationChanged().getOperation().equals(operation));
    }

    private static void expectRemoved(Watching watching, CircuitKey key, String why) {
        watching.await(
                Circuits.text(key) + ", " + why + ", among the removed",
                m -> m.getCircuitsChanged().getRemovedList().contains(key));
    }

    private static void failed(Bench bench) throws Exception {
        CircuitKey dead = bench.failing();
        try (Watching watching = bench.watch()) {
            Operation rejected = bench.change().makeInstead(1, dead).send().getOperation();
            expectTold(watching, rejected, "the operation whose only item failed");
            Operation undone = bench.change()
                    .allOrNothing()
                    .make(0)
                    .makeInstead(1, dead)
                    .send()
                    .getOperation();
            expectTold(watching, undone, "the operation that all or nothing put back");
            Operation partial =
                    bench.change().make(0).makeInstead(1, dead).send().getOperation();
            equal("outcome", Outcome.OUTCOME_PARTIAL, partial.getOutcome());
            expectTold(watching, partial, "the operation that failed in part");
        }
    }
}
