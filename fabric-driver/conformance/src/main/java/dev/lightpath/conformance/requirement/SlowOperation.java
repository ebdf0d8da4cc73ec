package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.common.util.concurrent.ListenableFuture;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A change that takes a while and was seen in progress.
 *
 * @param call it was sent with, which may still wait for its answer
 */
public record SlowOperation(Change change, ListenableFuture<ApplyCircuitsResponse> call) {
    public static final int ATTEMPTS = 3;
    public static final Duration MOVE = Duration.ofSeconds(1);

    /** No device takes the same time for each move: a driver must have waited for longer once. */
    private static final Duration LONGEST_MOVE = MOVE.multipliedBy(5).dividedBy(4);

    /** Half a second less than the contract says, for the way. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(29_500);

    /**
     * From here on every move of the device takes a second.
     *
     * @throws Inapplicable when the driver gives up on such a move, as it may where the device's longest is shorter
     */
    public static void slow(Bench bench) throws Exception {
        if (bench.terms().faults().isEmpty() && isSlow(bench.device().capabilities())) {
            return;
        }
        bench.faults().inject(new Fault.SlowMoves(MOVE.toMillis()));
        Capabilities capabilities = bench.device().capabilities();
        if (capabilities.hasMaxSwitchTime() && bench.atLeast(Duration.ZERO, 1).compareTo(MOVE) < 0) {
            requirePatient(bench);
        }
    }

    private static boolean isSlow(Capabilities capabilities) {
        return capabilities.getTypicalSwitchTime().getSeconds() >= MOVE.toSeconds();
    }

    /** Once in a run. */
    private static void requirePatient(Bench bench) throws Exception {
        if (!bench.isPatient(() -> settles(bench))) {
            throw new Inapplicable("max_switch_time is less than " + MOVE.toMillis()
                    + " ms, and the driver gives up on a move that takes as much");
        }
    }

    private static boolean settles(Bench bench) throws Exception {
        bench.faults().mend();
        bench.faults().inject(new Fault.SlowMoves(LONGEST_MOVE.toMillis()));
        Outcome outcome = bench.change().make(0).send().getOperation().getOutcome();
        bench.faults().mend();
        if (outcome == Outcome.OUTCOME_APPLIED) {
            bench.change().unmake(0).apply();
        }
        bench.faults().inject(new Fault.SlowMoves(MOVE.toMillis()));
        return outcome == Outcome.OUTCOME_APPLIED;
    }

    /**
     * Makes the i-th circuit and returns while it moves.
     *
     * @throws Inapplicable when nobody looked while it moved, however often it was tried
     */
    public static SlowOperation making(Bench bench, int i) {
        return making(bench, i, change -> change);
    }

    /** As {@link #making(Bench, int)}, by a change that is given more. */
    public static SlowOperation making(Bench bench, int i, UnaryOperator<Change> more) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Change change = more.apply(bench.change().make(i));
            long unknownNanos = System.nanoTime();
            ListenableFuture<ApplyCircuitsResponse> call =
                    bench.calls().circuitsLater().applyCircuits(change.request());
            Seen seen = look(bench, change, unknownNanos);
            if (seen.operation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS) {
                return new SlowOperation(change, call);
            }
            that(
                    seen.unseen().compareTo(MOVE.dividedBy(2)) > 0,
                    "GetOperation to tell IN_PROGRESS of an operation whose move takes " + MOVE.toMillis() + " ms",
                    "it ended " + seen.unseen().toMillis() + " ms after it was not known yet: " + seen.operation());
            undo(bench, i, seen.operation());
        }
        throw new Inapplicable("in " + ATTEMPTS + " attempts GetOperation was not answered while an operation of "
                + MOVE.toMillis() + " ms was under way");
    }

    /**
     * What is put back leaves nothing to be unmade: transceivers refuse to break a circuit that another has replaced.
     */
    private static void undo(Bench bench, int i, Operation made) {
        if (made.hasConfirmBefore()) {
            Operation cancelled = Confirmation.cancel(bench, made.getOperationId());
            equal("outcome of what was cancelled", Outcome.OUTCOME_ROLLED_BACK, cancelled.getOutcome());
        } else {
            bench.change().unmake(i).apply();
        }
    }

    /**
     * What GetOperation said first.
     *
     * @param unseen the longest time for which it can have been in progress without anybody asking
     */
    private record Seen(Operation operation, Duration unseen) {}

    private static Seen look(Bench bench, Change change, long sentNanos) {
        long[] unknownNanos = {sentNanos};
        Operation operation = bench.await(
                        "the operation to be admitted",
                        () -> {
                            long askedNanos = System.nanoTime();
                            Operation[] known = new Operation[1];
                            Optional<Refusal> refusal = Refusal.ofCall(() -> known[0] = bench.operation(change.id()));
                            refusal.filter(r -> r.code() == Status.Code.NOT_FOUND)
                                    .ifPresent(r -> unknownNanos[0] = askedNanos);
                            return Optional.ofNullable(known[0]);
                        },
                        Optional::isPresent)
                .orElseThrow();
        return new Seen(operation, Duration.ofNanos(System.nanoTime() - unknownNanos[0]));
    }

    /**
     * What waited for a running operation of a lower epoch is refused.
     *
     * @return true when it was for waiting as long as it may
     */
    public static boolean hasWaitedLongEnough(Refusal refusal, Duration waited) {
        return refusal.code() == Status.Code.ABORTED
                && refusal.reason().equals("OPERATION_IN_FLIGHT")
                && waited.compareTo(LONGEST_WAIT) >= 0;
    }

    /** Waits for the end of it, which took longer than others wait. */
    public Inapplicable tooSlow(Bench bench) {
        var unused = ended(bench);
        return new Inapplicable("a move takes longer than the 30 s for which a higher epoch waits");
    }

    /** What GetOperation tells of the end of it. */
    public Operation ended(Bench bench) {
        return bench.await(
                "the slow operation to end",
                () -> bench.operation(id()),
                o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
    }

    public String id() {
        return change.id();
    }

    /** The caller goes away. */
    public void leave() {
        call.cancel(true);
    }
}
