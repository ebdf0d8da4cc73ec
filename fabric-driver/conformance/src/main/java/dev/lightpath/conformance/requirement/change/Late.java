package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Calls that are over before their answer. */
public final class Late {
    /** A call that is not known so long after its deadline has not arrived. */
    private static final Duration ARRIVAL = Duration.ofMillis(250);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);
    private static final long LONGEST_MILLIS = 2048;

    private Late() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "operations/deadline",
                "CircuitService.GetOperation; DEADLINE_EXCEEDED",
                "A deadline says nothing: the operation goes on, GetOperation tells, the repetition is not a second one",
                Late::deadline));
    }

    /**
     * By deadlines from before the call arrives to after it is answered. What was late is not sent again: that would
     * mend it.
     */
    private static void deadline(Bench bench) {
        boolean late = true;
        List<String> sent = new ArrayList<>();
        for (long millis = 1; late && millis <= LONGEST_MILLIS; millis *= 2) {
            Change change = bench.change().make(0);
            sent.add(change.id());
            late = isLate(bench, change, millis);
            Optional<Operation> told = ended(bench, change, sent);
            if (told.isPresent()) {
                sent.remove(change.id());
                equal(
                        "outcome of an operation whose caller went away after " + millis + " ms",
                        Outcome.OUTCOME_APPLIED,
                        told.get().getOutcome());
                ApplyCircuitsResponse again = change.send();
                that(again.getReplayed(), "the repetition to be replayed", again);
                equal("operation answered to the repetition", told.get(), again.getOperation());
                bench.expectMade(0);
                bench.change().unmake(0).apply();
            } else {
                that(late, "GetOperation to know an operation that was answered", "it does not know " + change.id());
            }
        }
    }

    /** False where it was answered in time. An earlier one that arrived later than any may be in its way. */
    private static boolean isLate(Bench bench, Change change, long millis) {
        Optional<Refusal> refusal = Refusal.ofCall(() -> {
            var unused = bench.calls()
                    .circuits()
                    .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)
                    .applyCircuits(change.request());
        });
        refusal.filter(r -> !r.isForLater())
                .ifPresent(r -> equal("code of a call that was late", Status.Code.DEADLINE_EXCEEDED, r.code()));
        return refusal.isPresent();
    }

    /**
     * How the operation ended; empty where it never arrived, and made nothing.
     *
     * @param sent it and those before that were not known so soon, which may have made the circuit meanwhile
     */
    private static Optional<Operation> ended(Bench bench, Change change, List<String> sent) {
        String wanted = Circuits.text(bench.layout().circuit(0));
        long deadline = System.nanoTime() + ARRIVAL.toNanos();
        while (System.nanoTime() - deadline < 0) {
            boolean there = bench.shown().contains(wanted);
            Optional<Operation> known = known(bench, change.id());
            if (known.isPresent()) {
                return Optional.of(bench.await(
                        "the operation to go on to its end without its caller",
                        () -> bench.operation(change.id()),
                        o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS));
            }
            if (there && sent.stream().allMatch(id -> known(bench, id).isEmpty())) {
                throw new Unmet(
                        "GetOperation to know the operation that made " + wanted + ", whose caller went away",
                        "NOT_FOUND");
            }
            bench.pause(BETWEEN_LOOKS);
        }
        return Optional.empty();
    }

    private static Optional<Operation> known(Bench bench, String id) {
        try {
            return Optional.of(bench.operation(id));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
