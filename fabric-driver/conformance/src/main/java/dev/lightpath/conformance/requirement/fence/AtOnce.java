package dev.lightpath.conformance.requirement.fence;

import static dev.lightpath.conformance.bench.Expect.that;

import com.google.common.util.concurrent.ListenableFuture;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Two changes of one epoch sent together, of which one alone may be carried out. On a fast device, again and again. */
public final class AtOnce {
    private static final int ROUNDS = 8;

    private AtOnce() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "operations/one-state-at-once",
                        "ApplyCircuitsRequest.expected_observed_digest",
                        "Of two changes sent at once that expect the same state, one at most is carried out",
                        AtOnce::oneState),
                new Requirement(
                        "operations/one-port-at-once",
                        "Ports; CONFLICT_POLICY_SAFE",
                        "Of two changes sent at once that need the same port, one at most is carried out",
                        AtOnce::onePort));
    }

    private static void oneState(Bench bench) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            String digest = bench.read().getObservedDigest();
            one(
                    bench,
                    bench.change().expecting(digest).make(0),
                    bench.change().expecting(digest).make(1),
                    Set.of("DIGEST_DIFFERS"));
        }
    }

    private static void onePort(Bench bench) throws InterruptedException {
        Supplier<Change> other = () -> bench.layout().crosses()
                ? bench.change().connect(bench.layout().crossing(1, 0))
                : bench.change().makeInstead(0, bench.layout().alternative(0));
        // what both name to be broken, one of them has broken already
        Set<String> reasons = Set.of("PORT_IN_USE", "NO_SUCH_CIRCUIT");
        for (int round = 0; round < ROUNDS; round++) {
            one(bench, bench.change().make(0), other.get(), reasons);
        }
    }

    static void one(Bench bench, Change first, Change second, Set<String> reasons) throws InterruptedException {
        List<ListenableFuture<ApplyCircuitsResponse>> calls = new ArrayList<>();
        for (Change change : List.of(first, second)) {
            calls.add(bench.calls().circuitsLater().applyCircuits(change.request()));
        }
        int applied = 0;
        for (ListenableFuture<ApplyCircuitsResponse> call : calls) {
            applied += isApplied(call, reasons) ? 1 : 0;
        }
        that(
                applied <= 1,
                "one of two changes sent at once not carried out, but refused with ABORTED or for "
                        + String.join(" or ", reasons),
                "both were: " + bench.shown());
        List<String> made = bench.shown();
        that(made.size() <= 1, "one circuit at most of two changes, of which one at most was carried out", made);
        putBack(bench, first, second, Set.copyOf(made));
    }

    private static boolean isApplied(ListenableFuture<ApplyCircuitsResponse> call, Set<String> reasons)
            throws InterruptedException {
        try {
            return call.get().getOperation().getOutcome() == Outcome.OUTCOME_APPLIED;
        } catch (ExecutionException e) {
            Optional<Refusal> refusal = Refusal.ofCall(() -> {
                throw Status.fromThrowable(e).asRuntimeException(Status.trailersFromThrowable(e));
            });
            refusal.ifPresent(r -> that(
                    r.isForLater() || reasons.contains(r.reason()),
                    "a change sent together with another to be carried out, or refused with ABORTED or for "
                            + String.join(" or ", reasons),
                    r));
            return false;
        }
    }

    private static void putBack(Bench bench, Change first, Change second, Set<String> made) {
        Change back = bench.change();
        Set<String> rested = new TreeSet<>();
        for (Change change : List.of(first, second)) {
            for (CircuitKey key : change.request().getConnectsList()) {
                if (made.contains(Circuits.text(key))) {
                    back.disconnect(key);
                    change.request().getDisconnectsList().stream()
                            .filter(rest -> rested.add(Circuits.text(rest)))
                            .forEach(back::connect);
                }
            }
        }
        var unused = bench.await(
                "what was made to be put back",
                () -> bench.calls().circuits().applyCircuits(back.request()),
                answer -> answer.getOperation().getOutcome() == Outcome.OUTCOME_APPLIED);
    }
}
