package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;

/** Streams that begin while circuits change. */
public final class Beginnings {
    private static final int MOST = 4;

    private Beginnings() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "stream/changes-as-it-begins",
                "TelemetryService.Watch; DeviceSnapshot; CircuitsChanged",
                "What changes while a stream begins is in its snapshot or told after it, and what was before the snapshot is not told again",
                Beginnings::changing));
    }

    private static void changing(Bench bench) throws Exception {
        Streams.require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        expectFollowed(bench, Change::make);
        expectFollowed(bench, Change::unmake);
    }

    /** Each change leads to a state that was not there before. */
    private static void expectFollowed(Bench bench, BiConsumer<Change, Integer> next) throws Exception {
        List<ApplyCircuitsRequest> changes = new ArrayList<>();
        for (int i = 0; i < Math.min(MOST, bench.layout().size()); i++) {
            Change change = bench.change();
            next.accept(change, i);
            changes.add(change.request());
        }
        List<String> history = Collections.synchronizedList(new ArrayList<>());
        history.add(bench.read().getObservedDigest());
        CompletableFuture<Void> writer = CompletableFuture.runAsync(
                () -> changes.forEach(change -> {
                    ApplyCircuitsResponse done = bench.calls().circuits().applyCircuits(change);
                    that(
                            done.getOperation().getOutcome() == Outcome.OUTCOME_APPLIED,
                            "outcome APPLIED",
                            done.getOperation());
                    history.add(done.getOperation().getObservedDigest());
                }),
                Thread::startVirtualThread);
        try (Watching watching = bench.watch(bench.watchRequest().build())) {
            join(writer);
            watching.awaitSynced();
            // all changes are APPLIED: nothing moves any more
            DeviceCircuits read = bench.read();
            Streams.awaitCircuits(bench, watching, Circuits.texts(Circuits.keys(read.getCircuitsList())));
            watching.awaitDigest(bench.deviceId(), read.getObservedDigest());
            expectForwards(watching.digests(bench.deviceId()), history);
        } finally {
            var ended = writer.handle((done, failed) -> failed == null).join();
        }
    }

    private static void join(CompletableFuture<Void> writer) throws Exception {
        try {
            writer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Digests that are no end of a change, of circuits that move still, are left alone. */
    private static void expectForwards(List<String> told, List<String> history) {
        List<Integer> states =
                told.stream().map(history::indexOf).filter(i -> i >= 0).toList();
        that(
                states.equals(states.stream().sorted().toList()),
                "states told in the order they came in, none again after a later one",
                "of " + history.size() + " states, by number: " + states);
    }
}
