package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.common.util.concurrent.ListenableFuture;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * What is shown of a device and an operation in the middle of a move. A move takes a second, and looking takes time
 * too: what was seen counts only if the operation was in progress still when it was asked for once more afterwards.
 */
public final class WhileItRuns {
    /** So long after it was sent a change has arrived. */
    private static final Duration ENOUGH = SlowOperation.MOVE.dividedBy(2);

    private WhileItRuns() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "operations/in-progress",
                        "Operation.observed_digest, finished_at",
                        "An operation in progress has neither a digest of its end nor a time of it",
                        WhileItRuns::inProgress),
                new Requirement(
                        "operations/in-a-snapshot",
                        "DeviceSnapshot.operations",
                        "The snapshot of a new stream has the operation that is in progress",
                        WhileItRuns::inASnapshot),
                new Requirement(
                        "operations/tuning",
                        "Circuit.state; DeviceCircuits.observed_digest",
                        "A circuit that still moves is not CONNECTED, and counts in the digest as it is shown",
                        WhileItRuns::tuning),
                new Requirement(
                        "operations/waiting-epoch-counts",
                        "Fencing; Higher epochs",
                        "The epoch of a change that waits for a running one is the highest already",
                        WhileItRuns::waitingEpochCounts));
    }

    /** One look at a move; false when it was over too soon to tell. */
    public interface Look {
        boolean tells(SlowOperation slow) throws Exception;
    }

    public static void look(Bench bench, Look look) throws Exception {
        SlowOperation.slow(bench);
        for (int attempt = 0; attempt < SlowOperation.ATTEMPTS; attempt++) {
            SlowOperation slow = SlowOperation.making(bench, 0);
            boolean told = look.tells(slow);
            ended(slow);
            if (told) {
                return;
            }
            bench.change().unmake(0).apply();
        }
        throw new Inapplicable("in " + SlowOperation.ATTEMPTS + " attempts no move was seen in its middle");
    }

    private static void ended(SlowOperation slow) throws InterruptedException {
        try {
            ApplyCircuitsResponse unused = slow.call().get();
        } catch (ExecutionException e) {
            throw new Unmet("the slow change to be answered", String.valueOf(e.getCause()));
        }
    }

    public static boolean runs(Bench bench, SlowOperation slow) {
        return bench.operation(slow.id()).getOutcome() == Outcome.OUTCOME_IN_PROGRESS;
    }

    private static void inProgress(Bench bench) throws Exception {
        look(bench, slow -> {
            Operation seen = bench.operation(slow.id());
            if (seen.getOutcome() != Outcome.OUTCOME_IN_PROGRESS) {
                return false;
            }
            equal("observed_digest while IN_PROGRESS", "", seen.getObservedDigest());
            that(!seen.hasFinishedAt(), "no finished_at while IN_PROGRESS", seen);
            return true;
        });
    }

    /** For half a move: a stream may begin just before an operation is shown that was admitted. */
    private static void inASnapshot(Bench bench) throws Exception {
        look(bench, slow -> {
            long admittedNanos = System.nanoTime();
            while (runs(bench, slow)) {
                Duration before = since(admittedNanos);
                if (listed(bench, slow)) {
                    return true;
                }
                that(
                        before.compareTo(ENOUGH) < 0 || !runs(bench, slow),
                        "the operation " + slow.id() + " in a snapshot while it is IN_PROGRESS",
                        "none");
            }
            return false;
        });
    }

    private static boolean listed(Bench bench, SlowOperation slow) {
        try (Watching watching = bench.watch()) {
            return watching.messages().stream()
                    .filter(WatchResponse::hasSnapshot)
                    .flatMap(m -> m.getSnapshot().getOperationsList().stream())
                    .anyMatch(o -> o.getOperationId().equals(slow.id()));
        }
    }

    /** In the first half of the move alone: at its end the device may be faster to say so than the driver. */
    private static void tuning(Bench bench) throws Exception {
        long[] beganNanos = {0};
        BooleanSupplier early = () -> System.nanoTime() - beganNanos[0]
                < SlowOperation.MOVE.dividedBy(2).toNanos();
        SlowOperation.slow(bench);
        boolean echoes = bench.device().capabilities().getReadBack() != ReadBack.READ_BACK_HARDWARE_STATE;
        for (int attempt = 0; attempt < SlowOperation.ATTEMPTS; attempt++) {
            beganNanos[0] = System.nanoTime();
            SlowOperation slow = SlowOperation.making(bench, 0);
            DeviceCircuits read = bench.read();
            boolean soon = early.getAsBoolean();
            equal(
                    "digest of what is shown in the middle of a move",
                    Circuits.digest(Circuits.keys(read.getCircuitsList())),
                    read.getObservedDigest());
            boolean moving = read.getCircuitsList().stream()
                    .anyMatch(c -> c.getKey().equals(bench.layout().circuit(0)));
            if (soon && !echoes) {
                read.getCircuitsList().stream()
                        .filter(c -> c.getKey().equals(bench.layout().circuit(0)))
                        .forEach(c -> that(
                                c.getState() != CircuitState.CIRCUIT_STATE_CONNECTED,
                                "a circuit not CONNECTED in the first half of a move of "
                                        + SlowOperation.MOVE.toMillis() + " ms",
                                c));
            }
            ended(slow);
            if (soon && moving) {
                return;
            }
            bench.change().unmake(0).apply();
        }
        throw new Inapplicable("in " + SlowOperation.ATTEMPTS + " attempts the device showed no circuit that moves");
    }

    private static void waitingEpochCounts(Bench bench) throws Exception {
        look(bench, slow -> {
            long lower = bench.epoch();
            long higher = bench.raiseEpoch();
            long sentNanos = System.nanoTime();
            ListenableFuture<ApplyCircuitsResponse> waiting =
                    bench.calls().circuitsLater().applyCircuits(bench.change().request());
            boolean counts = false;
            Duration waited = Duration.ZERO;
            while (!counts && waited.compareTo(ENOUGH) < 0 && runs(bench, slow)) {
                Duration asked = since(sentNanos);
                Optional<Refusal> answer = answer(bench, lower);
                counts = isStale(answer) && runs(bench, slow);
                waited = answer.isPresent() ? asked : since(sentNanos);
            }
            try {
                ApplyCircuitsResponse unused = waiting.get();
            } catch (ExecutionException e) {
                Refusal refusal = refusal(e);
                that(
                        SlowOperation.hasWaitedLongEnough(refusal, since(sentNanos)),
                        "the change of the higher epoch to be answered, or ABORTED after 30 s",
                        refusal);
            }
            that(
                    counts || waited.compareTo(ENOUGH) < 0,
                    "epoch " + lower + " refused with STALE_EPOCH while a change of " + higher + " waits for one of it",
                    "not in " + waited.toMillis() + " ms");
            return counts;
        });
    }

    private static Refusal refusal(ExecutionException e) {
        return Refusal.ofCall(() -> {
                    throw Status.fromThrowable(e).asRuntimeException(Status.trailersFromThrowable(e));
                })
                .orElseThrow();
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /**
     * What a change of nothing is refused with; empty when it was carried out, for which a driver may have let it wait.
     */
    public static Optional<Refusal> answer(Bench bench, long epoch) {
        return Refusal.ofCall(() -> {
            var unused = bench.calls()
                    .circuits()
                    .applyCircuits(bench.change().epoch(epoch).request());
        });
    }

    public static boolean isStale(Optional<Refusal> answer) {
        return answer.filter(r ->
                        r.code() == Status.Code.PERMISSION_DENIED && r.reason().equals("STALE_EPOCH"))
                .isPresent();
    }
}
