package dev.lightpath.conformance.requirement.restart;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.TimeToConfirm;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a restart leaves of operations that replaced circuits, wait, were confirmed, or failed, and of circuits of
 * others.
 */
public final class Restarted {
    private static final String SECTION = "Crash; ApplyCircuitsRequest.rollback_after";
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration AFTERWARDS = Duration.ofMillis(500);

    private Restarted() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "crash/put-back-whole",
                        SECTION,
                        "What an unconfirmed change broke before a restart is made again after it, and is its maker's",
                        Restarted::putBackWhole),
                new Requirement(
                        "crash/cancelled-whole",
                        "Crash; CircuitService.CancelOperation",
                        "What the policy broke for a change before a restart is made again when that is cancelled after it",
                        Restarted::cancelledWhole),
                new Requirement(
                        "crash/still-pending",
                        "Crash; ERROR_REASON_OPERATION_IN_FLIGHT; Higher epochs",
                        "What awaits a confirmation since before a restart is in a snapshot and in the way of its epoch, and a higher one puts it back",
                        Restarted::stillPending),
                new Requirement(
                        "crash/confirmed-stays",
                        "Crash; CircuitService.ConfirmOperation",
                        "What was confirmed before a restart stays when the time for the confirmation is over",
                        Restarted::confirmedStays),
                new Requirement(
                        "crash/remembers-failures",
                        "Idempotency; Crash",
                        "Operations that failed or were rejected survive a restart: they are replayed, and not tried again",
                        Restarted::remembersFailures),
                new Requirement(
                        "crash/foreign-stays-foreign",
                        "Circuit.foreign; CONFLICT_POLICY_UPDATE",
                        "A circuit of somebody else is foreign after a restart too, and UPDATE does not break it",
                        Restarted::foreignStaysForeign));
    }

    private static void putBackWhole(Bench bench) throws Exception {
        bench.requireRestart();
        Confirmation.requireConfirmation(bench);
        bench.change().make(0).apply();
        TimeToConfirm.growing(bench, SHORT, time -> {
            Change change = bench.change()
                    .confirmWithin(time)
                    .disconnect(bench.layout().circuit(0))
                    .connect(bench.layout().alternative(0));
            if (!Confirmation.applied(change)) {
                return false;
            }
            bench.restartDriver();
            bench.await(
                    "the unconfirmed operation to be rolled back after the restart",
                    () -> bench.operation(change.id()),
                    o -> o.getOutcome() == Outcome.OUTCOME_ROLLED_BACK);
            expectBack(bench);
            return true;
        });
    }

    private static void cancelledWhole(Bench bench) throws Exception {
        bench.requireRestart();
        Confirmation.requireConfirmation(bench);
        bench.change().make(0).apply();
        Change change = bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .confirmWithin(Confirmation.LONG)
                .connect(bench.layout().alternative(0))
                .make(1);
        change.apply();
        bench.restartDriver();
        equal(
                "outcome of what is cancelled after a restart",
                Outcome.OUTCOME_ROLLED_BACK,
                Confirmation.cancel(bench, change.id()).getOutcome());
        expectBack(bench);
    }

    /** The circuit 0 alone is there, and of the kit's role. */
    private static void expectBack(Bench bench) {
        bench.expectMade(0);
        var back = found(bench, bench.layout().circuit(0));
        that(
                !back.getForeign() && back.getRole().equals(bench.role()),
                "not foreign, and of role " + bench.role() + ", for the driver put it back",
                back);
    }

    private static dev.lightpath.proto.driver.v1alpha1.Circuit found(Bench bench, CircuitKey key) {
        return bench.read().getCircuitsList().stream()
                .filter(c -> c.getKey().equals(key))
                .findFirst()
                .orElseThrow(() -> new Unmet(Circuits.text(key) + " after the restart", "it is gone"));
    }

    private static void stillPending(Bench bench) throws Exception {
        bench.requireRestart();
        Confirmation.requireConfirmation(bench);
        Change change = bench.change().confirmWithin(Confirmation.LONG).make(0);
        change.apply();
        bench.restartDriver();
        try (Watching watching = bench.watch()) {
            watching.await(
                    "a snapshot with the operation " + change.id() + ", which awaits its confirmation since before",
                    m -> m.getSnapshot().getOperationsList().stream()
                            .anyMatch(o -> o.getOperationId().equals(change.id())));
        }
        bench.change()
                .make(1)
                .refused(
                        "a change beside one unconfirmed since before a restart",
                        Status.Code.ABORTED,
                        "OPERATION_IN_FLIGHT");
        bench.raiseEpoch();
        bench.change().make(1).apply();
        equal(
                "outcome of the unconfirmed operation of a lower epoch",
                Outcome.OUTCOME_ROLLED_BACK,
                bench.operation(change.id()).getOutcome());
        bench.expectMade(1);
    }

    private static void confirmedStays(Bench bench) throws Exception {
        bench.requireRestart();
        TimeToConfirm.growing(bench, LEAST, time -> {
            Change change = bench.change().confirmWithin(time).make(0);
            var unused = change.send();
            Operation[] kept = new Operation[1];
            Optional<Refusal> late = Refusal.ofCall(() -> kept[0] = Confirmation.confirm(bench, change.id()));
            if (late.isEmpty()) {
                bench.restartDriver();
                bench.pause(time.plus(AFTERWARDS));
                equal("confirmed operation, after its time and a restart,", kept[0], bench.operation(change.id()));
                bench.expectMade(0);
                return true;
            }
            equal(
                    "reason of a confirmation that is too late",
                    "NOT_PENDING",
                    late.get().reason());
            return false;
        });
    }

    private static void remembersFailures(Bench bench) throws Exception {
        bench.requireRestart();
        CircuitKey dead = bench.failing();
        Change rejected = bench.change().makeInstead(1, dead);
        Operation nothing = rejected.send().getOperation();
        Change partial = bench.change().makeInstead(1, dead).make(0);
        Operation half = partial.send().getOperation();
        bench.restartDriver();
        if (bench.terms().faults().isPresent()) {
            bench.faults().mend();
        }
        List<String> shown = bench.shown();
        expectReplayed(bench, rejected, nothing);
        expectReplayed(bench, partial, half);
        equal("circuits after the repetitions", shown, bench.shown());
    }

    private static void expectReplayed(Bench bench, Change change, Operation before) {
        Optional<Refusal> lost =
                Refusal.ofCall(() -> equal("operation after the restart", before, bench.operation(change.id())));
        that(lost.isEmpty(), "GetOperation to know an operation that ended " + before.getOutcome() + " before", lost);
        ApplyCircuitsResponse again = change.send();
        that(again.getReplayed(), "replayed after a restart, though it ended " + before.getOutcome(), again);
        equal("operation answered to the repetition", before, again.getOperation());
    }

    private static void foreignStaysForeign(Bench bench) throws Exception {
        bench.requireRestart();
        CircuitKey foreign = bench.layout().circuit(1);
        bench.change().make(0).apply();
        bench.faults().inject(new Fault.ForeignCircuit(foreign));
        bench.await(Circuits.text(foreign) + " read back", bench::shown, s -> s.contains(Circuits.text(foreign)));
        bench.restartDriver();
        var circuit = found(bench, foreign);
        that(
                circuit.getForeign()
                        && circuit.getRole().isEmpty()
                        && circuit.getOperationId().isEmpty(),
                "foreign after a restart too, of no role and no operation",
                circuit);
        bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .connect(bench.layout().alternative(1))
                .refused(
                        "breaking a foreign circuit by UPDATE after a restart",
                        Status.Code.FAILED_PRECONDITION,
                        "PORT_IN_USE");
        bench.expectMade(0, 1);
    }
}
