package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.common.util.concurrent.ListenableFuture;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.SlowOperation;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An operation happens once. */
public final class Idempotency {
    private static final String SECTION = "Idempotency; ApplyCircuitsRequest.operation_id";

    private static final int ROUNDS = 10;
    private static final int AT_ONCE = 8;

    private Idempotency() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "idempotency/same-operation-twice",
                        SECTION,
                        "The same request with the same id answers the first result, and the device is not asked again",
                        Idempotency::sameOperationTwice),
                new Requirement(
                        "idempotency/repetition-of-the-past",
                        SECTION,
                        "A repetition answers the first result also when what the request expected is long gone",
                        Idempotency::repetitionOfThePast),
                new Requirement(
                        "idempotency/same-operation-at-once",
                        SECTION,
                        "The same request sent twice at once is carried out once",
                        Idempotency::sameOperationAtOnce),
                new Requirement(
                        "idempotency/while-it-runs",
                        SECTION,
                        "The same request, sent again in the middle of its move, is no second one",
                        Idempotency::whileItRuns),
                new Requirement(
                        "idempotency/other-content",
                        "ERROR_REASON_OPERATION_ID_REUSED",
                        "The same id with other content is refused",
                        Idempotency::otherContent),
                new Requirement(
                        "idempotency/new-leader-repeats",
                        SECTION,
                        "Epoch and holder are not content: a new leader may repeat its predecessor's operation",
                        Idempotency::newLeaderRepeats));
    }

    private static void sameOperationTwice(Bench bench) {
        Change change = bench.change().make(0);
        ApplyCircuitsResponse sent = change.send();
        that(!sent.getReplayed(), "a first request not replayed", sent);
        Operation first = sent.getOperation();
        bench.change().unmake(0).apply();
        ApplyCircuitsResponse again = change.send();
        equal("operation answered to the repetition", first, again.getOperation());
        that(again.getReplayed(), "replayed", again);
        bench.expectMade();
    }

    private static void repetitionOfThePast(Bench bench) {
        Change change =
                bench.change().expecting(bench.read().getObservedDigest()).make(0);
        Operation first = change.apply();
        bench.change().make(1).apply();
        ApplyCircuitsResponse again = change.send();
        that(again.getReplayed(), "replayed, for the state it expects was there when it was carried out", again);
        equal("operation answered to the repetition", first, again.getOperation());
        bench.expectMade(0, 1);
    }

    /** Again and again, since a device may be done with one before the next arrives. */
    private static void sameOperationAtOnce(Bench bench) {
        for (int round = 0; round < ROUNDS; round++) {
            Change change = bench.change().make(0);
            List<ListenableFuture<ApplyCircuitsResponse>> calls = Stream.generate(
                            () -> bench.calls().circuitsLater().applyCircuits(change.request()))
                    .limit(AT_ONCE)
                    .toList();
            List<ApplyCircuitsResponse> answered = new ArrayList<>();
            for (ListenableFuture<ApplyCircuitsResponse> call : calls) {
                Refusal.ofCall(() -> answered.add(Shapes.answered(call)))
                        .ifPresent(refusal -> that(
                                refusal.isForLater(),
                                "each of equal requests to be answered, or to be ABORTED while another runs",
                                refusal));
            }
            equal(
                    "number of answers that are not replayed, of " + AT_ONCE + " equal requests at once",
                    1L,
                    answered.stream().filter(a -> !a.getReplayed()).count());
            Operation first = change.send().getOperation();
            equal("outcome", Outcome.OUTCOME_APPLIED, first.getOutcome());
            bench.expectMade(0);
            bench.change().unmake(0).apply();
        }
    }

    private static void whileItRuns(Bench bench) throws Exception {
        SlowOperation.slow(bench);
        Change change = SlowOperation.making(bench, 0).change();
        Optional<Refusal> refusal = Refusal.ofCall(() -> {
            ApplyCircuitsResponse answer = bench.calls().circuits().applyCircuits(change.request());
            that(answer.getReplayed(), "replayed, or ABORTED, while the first one runs", answer);
        });
        refusal.ifPresent(r -> that(r.isForLater(), "a repetition answered, or ABORTED, while the first one runs", r));
        bench.await(
                "the operation to end",
                () -> bench.operation(change.id()),
                o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
        bench.expectMade(0);
    }

    private static void otherContent(Bench bench) {
        Change change = bench.change().make(0);
        change.apply();
        bench.change()
                .id(change.id())
                .make(1)
                .refused("an operation id used again", Status.Code.INVALID_ARGUMENT, "OPERATION_ID_REUSED");
        Change further = bench.change()
                .id(change.id())
                .make(0)
                .disconnect(Circuits.key(bench.layout().circuit(1).getIngress(), ""));
        if (further.items() <= bench.device().mostItems()) {
            further.refused(
                    "an operation id used again with a further disconnect",
                    Status.Code.INVALID_ARGUMENT,
                    "OPERATION_ID_REUSED");
        }
        bench.change()
                .id(change.id())
                .make(0)
                .policy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                .refused(
                        "an operation id used again with another conflict policy",
                        Status.Code.INVALID_ARGUMENT,
                        "OPERATION_ID_REUSED");
        bench.change()
                .id(change.id())
                .make(0)
                .allOrNothing()
                .refused(
                        "an operation id used again with another atomicity",
                        Status.Code.INVALID_ARGUMENT,
                        "OPERATION_ID_REUSED");
        bench.change()
                .id(change.id())
                .make(0)
                .scope(bench.layout().scope(0))
                .refused(
                        "an operation id used again with another scope",
                        Status.Code.INVALID_ARGUMENT,
                        "OPERATION_ID_REUSED");
        bench.change()
                .id(change.id())
                .make(0)
                .expecting(bench.read().getObservedDigest())
                .refused(
                        "an operation id used again with an expected digest",
                        Status.Code.INVALID_ARGUMENT,
                        "OPERATION_ID_REUSED");
        bench.change()
                .id(change.id())
                .make(0)
                .edit(r -> r.setDesiredGeneration(7))
                .refused(
                        "an operation id used again with another generation",
                        Status.Code.INVALID_ARGUMENT,
                        "OPERATION_ID_REUSED");
        if (bench.device().capabilities().getConfirmedCommit()) {
            bench.change()
                    .id(change.id())
                    .confirmWithin(Confirmation.LONG)
                    .make(0)
                    .refused(
                            "an operation id used again with a roll-back",
                            Status.Code.INVALID_ARGUMENT,
                            "OPERATION_ID_REUSED");
        }
        bench.expectMade(0);
    }

    private static void newLeaderRepeats(Bench bench) {
        Change change = bench.change().make(0);
        change.apply();
        bench.change().unmake(0).apply();
        bench.raiseEpoch();
        ApplyCircuitsResponse again = bench.change()
                .id(change.id())
                .make(0)
                .edit(r -> r.getFencingBuilder().setHolder("another"))
                .send();
        that(again.getReplayed(), "replayed for the next epoch", again);
        bench.expectMade();
        bench.raiseEpoch();
    }
}
