package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.SlowOperation;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What became of an operation. */
public final class Operations {
    private static final String SECTION = "CircuitService.GetOperation";
    private static final int MANY = 128;

    private Operations() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "operations/remembered",
                        SECTION,
                        "GetOperation answers what ApplyCircuits answered",
                        Operations::remembered),
                new Requirement(
                        "operations/remembered-after-many",
                        "Idempotency",
                        "An operation is remembered for its 24 hours, not until the next few",
                        Operations::rememberedAfterMany),
                new Requirement(
                        "operations/unknown",
                        "ERROR_REASON_NO_SUCH_OPERATION",
                        "An operation the driver never admitted is NOT_FOUND, also by the id of another role's",
                        Operations::unknown),
                new Requirement(
                        "operations/refused-is-not-admitted",
                        "Truth",
                        "A change that was refused changed nothing and is no operation",
                        Operations::refusedIsNotAdmitted),
                new Requirement(
                        "operations/refused-may-be-repeated",
                        "ApplyCircuitsResponse.replayed",
                        "A change that was refused is carried out when it is sent again and nothing is in its way any more",
                        Operations::refusedMayBeRepeated),
                new Requirement(
                        "operations/deadline-of-a-slow-move",
                        SECTION + "; DEADLINE_EXCEEDED",
                        "A caller that goes away in the middle of a move does not stop it; meanwhile it is IN_PROGRESS",
                        Operations::deadlineOfASlowMove),
                new Requirement(
                        "operations/one-at-a-time",
                        "ERROR_REASON_OPERATION_IN_FLIGHT",
                        "A second operation of the same epoch is ABORTED while one is in flight",
                        Operations::oneAtATime),
                new Requirement(
                        "operations/higher-epoch-waits",
                        "Higher epochs",
                        "An operation of a higher epoch waits for a running one of a lower epoch; both are whole",
                        Operations::higherEpochWaits),
                new Requirement(
                        "operations/applied-means-settled",
                        "Truth",
                        "A slow move is APPLIED only when reading the device shows it connected",
                        Operations::appliedMeansSettled));
    }

    private static void remembered(Bench bench) {
        Operation done = bench.change().make(0).apply();
        equal("operation", done, bench.operation(done.getOperationId()));
        bench.change().unmake(0).apply();
        equal("operation, after another one,", done, bench.operation(done.getOperationId()));
    }

    private static void rememberedAfterMany(Bench bench) {
        Change change = bench.change().make(0);
        Operation done = change.apply();
        for (int i = 0; i < MANY; i++) {
            bench.change().apply();
        }
        Optional<Refusal> lost = Refusal.ofCall(
                () -> equal("operation, after " + MANY + " others,", done, bench.operation(change.id())));
        that(lost.isEmpty(), "GetOperation to know the operation after " + MANY + " others", lost);
        that(change.send().getReplayed(), "the repetition to be replayed after " + MANY + " others", "a new operation");
    }

    private static void unknown(Bench bench) {
        String id = bench.change().make(0).apply().getOperationId();
        noSuchOperation(bench, bench.role(), bench.newId());
        noSuchOperation(bench, bench.role() + "-other", id);
        noSuchOperation(bench, bench.role(), id.toUpperCase(Locale.ROOT));
    }

    private static void noSuchOperation(Bench bench, String role, String id) {
        refused(
                "GetOperation of '" + id + "' of role '" + role + "'",
                () -> {
                    var unused = bench.operation(role, id);
                },
                Status.Code.NOT_FOUND,
                "NO_SUCH_OPERATION");
    }

    private static void refusedIsNotAdmitted(Bench bench) {
        bench.change().make(0).apply();
        Change change = bench.change().connect(bench.layout().alternative(0));
        change.refused("a second circuit of an ingress", Status.Code.FAILED_PRECONDITION, "PORT_IN_USE");
        noSuchOperation(bench, bench.role(), change.id());
        bench.expectMade(0);
    }

    private static void refusedMayBeRepeated(Bench bench) {
        String port = bench.layout().circuit(0).getEgress();
        Change change = bench.change().make(0);
        var unused = bench.override(port, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        change.refused("a port out of service", Status.Code.FAILED_PRECONDITION, "PORT_OUT_OF_SERVICE");
        var lifted = bench.override(port, PortOverride.PORT_OVERRIDE_NONE);
        var again = change.send();
        that(!again.getReplayed(), "not replayed, for what was refused is no operation", again);
        equal(
                "outcome of what was refused before",
                Outcome.OUTCOME_APPLIED,
                again.getOperation().getOutcome());
        bench.expectMade(0);
    }

    /** Repeats a change until it is answered, as a client does that was late. */
    private static Operation settled(Bench bench, Change change) {
        return bench.await(
                "the repeated operation to be answered with its outcome",
                () -> {
                    Operation answered = bench.calls()
                            .circuits()
                            .applyCircuits(change.request())
                            .getOperation();
                    if (answered.getOutcome() != Outcome.OUTCOME_IN_PROGRESS) {
                        equal("GetOperation", answered, bench.operation(change.id()));
                    }
                    return answered;
                },
                operation -> operation.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
    }

    private static void deadlineOfASlowMove(Bench bench) throws Exception {
        SlowOperation.slow(bench);
        SlowOperation slow = SlowOperation.making(bench, 0);
        slow.leave();
        Change change = slow.change();
        Operation done = bench.await(
                "GetOperation to tell an end",
                () -> bench.operation(change.id()),
                o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
        equal("outcome", Outcome.OUTCOME_APPLIED, done.getOutcome());
        that(change.send().getReplayed(), "the repetition to be replayed", "a new operation");
        bench.expectMade(0);
    }

    private static void oneAtATime(Bench bench) throws Exception {
        SlowOperation.slow(bench);
        for (int attempt = 1; !refusesASecond(bench, attempt == SlowOperation.ATTEMPTS); attempt++) {
            bench.change().unmake(0).unmake(1).apply();
        }
        bench.expectMade(0);
    }

    /** False where a second one was accepted, perhaps since the first was over by then. */
    private static boolean refusesASecond(Bench bench, boolean last) {
        Change first = SlowOperation.making(bench, 0).change();
        Change second = bench.change().make(1);
        Optional<Refusal> refusal = Refusal.ofCall(() -> {
            var unused = bench.calls().circuits().applyCircuits(second.request());
        });
        if (refusal.isPresent() || last) {
            equal(
                    "answer to a second operation at once",
                    "ABORTED, reason OPERATION_IN_FLIGHT",
                    refusal.map(r -> r.code() + ", reason " + r.reason()).orElse("accepted"));
            equal("metadata operation_id", first.id(), refusal.orElseThrow().detail("operation_id"));
        }
        equal("outcome", Outcome.OUTCOME_APPLIED, settled(bench, first).getOutcome());
        return refusal.isPresent();
    }

    private static void higherEpochWaits(Bench bench) throws Exception {
        SlowOperation.slow(bench);
        SlowOperation first = SlowOperation.making(bench, 0);
        bench.raiseEpoch();
        Change waits = bench.change().make(1);
        long sentNanos = System.nanoTime();
        Refusal.ofCall(() -> equal(
                        "outcome of the operation that waited",
                        Outcome.OUTCOME_APPLIED,
                        bench.calls()
                                .circuits()
                                .applyCircuits(waits.request())
                                .getOperation()
                                .getOutcome()))
                .ifPresent(refusal -> {
                    that(
                            SlowOperation.hasWaitedLongEnough(refusal, Duration.ofNanos(System.nanoTime() - sentNanos)),
                            "an operation of a higher epoch to wait for a running one, 30 s at least",
                            refusal);
                    throw first.tooSlow(bench);
                });
        equal(
                "outcome of the operation before",
                Outcome.OUTCOME_APPLIED,
                bench.operation(first.id()).getOutcome());
        bench.expectMade(0, 1);
    }

    private static void appliedMeansSettled(Bench bench) throws Exception {
        SlowOperation.slow(bench);
        bench.change().make(0).apply();
        bench.read()
                .getCircuitsList()
                .forEach(c -> equal("state right after APPLIED", CircuitState.CIRCUIT_STATE_CONNECTED, c.getState()));
        bench.expectMade(0);
    }
}
