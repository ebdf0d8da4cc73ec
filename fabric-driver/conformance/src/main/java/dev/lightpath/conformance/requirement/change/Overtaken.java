package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.common.util.concurrent.ListenableFuture;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.SlowOperation;
import dev.lightpath.conformance.requirement.WhileItRuns;
import dev.lightpath.conformance.requirement.device.Circuit;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** A change that waits for a running one while its own epoch grows old. */
public final class Overtaken {
    private Overtaken() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "operations/overtaken",
                        "Fencing; Higher epochs",
                        "A change that still waits when a higher epoch is stored is refused, and never done after one of that epoch",
                        Overtaken::overtaken),
                new Requirement(
                        "operations/judged-in-turn",
                        "Higher epochs; ApplyCircuitsRequest.expected_observed_digest",
                        "A change that waits is judged by the state it finds in its turn, not by that of its arrival",
                        Overtaken::judgedInTurn));
    }

    /** What it expects was there when it was sent, or shortly before. */
    private static void judgedInTurn(Bench bench) throws Exception {
        String before = bench.read().getObservedDigest();
        SlowOperation.slow(bench);
        SlowOperation slow = SlowOperation.making(bench, 0);
        bench.raiseEpoch();
        Change waits = bench.change().expecting(before).make(1);
        Ended ended = Ended.of(send(bench, waits));
        that(
                ended.refusal()
                        .filter(r -> r.isForLater() || r.reason().equals("DIGEST_DIFFERS"))
                        .isPresent(),
                "a change that expects the state before a running one to be refused with DIGEST_DIFFERS, or ABORTED",
                ended);
        equal(
                "outcome of the operation before",
                Outcome.OUTCOME_APPLIED,
                bench.operation(slow.id()).getOutcome());
        bench.expectMade(0);
    }

    /**
     * What became of a change.
     *
     * @param operation it was answered with; empty when it was refused
     */
    private record Ended(Optional<Operation> operation, Optional<Refusal> refusal) {
        static Ended of(ListenableFuture<ApplyCircuitsResponse> call) throws InterruptedException {
            try {
                return new Ended(Optional.of(call.get().getOperation()), Optional.empty());
            } catch (ExecutionException e) {
                return new Ended(Optional.empty(), Refusal.ofCall(() -> {
                    throw e.getCause() instanceof StatusRuntimeException refused
                            ? refused
                            : new IllegalStateException(e.getCause());
                }));
            }
        }
    }

    /** What the driver stored counts only if the slow change had the turn still when it was asked for afterwards. */
    private static void overtaken(Bench bench) throws Exception {
        WhileItRuns.look(bench, slow -> {
            long running = bench.epoch();
            long older = bench.raiseEpoch();
            Change waits = bench.change().make(1);
            var waiting = send(bench, waits);
            boolean waited = isStored(bench, slow, running, older);
            long newer = bench.raiseEpoch();
            long sentNanos = System.nanoTime();
            var overtaking = send(bench, bench.change());
            boolean isOld = waited && isStored(bench, slow, running, newer);
            boolean late = isOld && !isAdmitted(bench, waits);
            Ended newest = Ended.of(overtaking);
            Duration answered = Duration.ofNanos(System.nanoTime() - sentNanos);
            Ended overtaken = Ended.of(waiting);
            if (newest.refusal()
                    .filter(r -> SlowOperation.hasWaitedLongEnough(r, answered))
                    .isPresent()) {
                throw slow.tooSlow(bench);
            }
            that(newest.operation().isPresent(), "the change of the highest epoch to be answered", newest.refusal());
            overtaken
                    .operation()
                    .ifPresent(o -> expectFirst(o, newest.operation().orElseThrow()));
            if (late) {
                that(
                        overtaken.refusal().filter(Overtaken::isForItsAge).isPresent(),
                        "a change of epoch " + older + ", not admitted when " + newer
                                + " was stored, to be refused with STALE_EPOCH, or ABORTED",
                        overtaken.refusal().map(Refusal::toString).orElse("carried out"));
            }
            boolean made = bench.shown().contains(Circuits.text(bench.layout().circuit(1)));
            if (overtaken.refusal().isPresent()) {
                that(!made, "nothing made by a change that was refused", bench.shown());
            } else if (made) {
                bench.change().unmake(1).apply();
            }
            return isOld;
        });
    }

    private static ListenableFuture<ApplyCircuitsResponse> send(Bench bench, Change change) {
        return bench.calls().circuitsLater().applyCircuits(change.request());
    }

    /** Asks with the epoch of the running change, which is refused at once, until that names the other as stored. */
    private static boolean isStored(Bench bench, SlowOperation slow, long running, long awaited) {
        while (WhileItRuns.runs(bench, slow)) {
            Optional<Refusal> answer = WhileItRuns.answer(bench, running);
            if (WhileItRuns.isStale(answer)
                    && answer.orElseThrow().detail("stored_epoch").equals(Long.toUnsignedString(awaited))) {
                return WhileItRuns.runs(bench, slow);
            }
        }
        return false;
    }

    /** True where a driver admits what has yet to wait: then it is to be finished, as any admitted operation. */
    private static boolean isAdmitted(Bench bench, Change change) {
        return Refusal.ofCall(() -> {
                    var unused = bench.operation(change.id());
                })
                .filter(r -> r.code() == Status.Code.NOT_FOUND)
                .isEmpty();
    }

    private static void expectFirst(Operation older, Operation newer) {
        that(
                !Circuit.instant(older.getAdmittedAt()).isAfter(Circuit.instant(newer.getAdmittedAt()))
                        && !Circuit.instant(older.getFinishedAt()).isAfter(Circuit.instant(newer.getFinishedAt())),
                "a change of epoch " + older.getFencing().getEpoch() + " admitted and finished before one of "
                        + newer.getFencing().getEpoch() + ", or refused",
                older);
    }

    private static boolean isForItsAge(Refusal refusal) {
        return refusal.isForLater() || WhileItRuns.isStale(Optional.of(refusal));
    }
}
