package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import java.util.List;

/** The end of a run, looking back at its beginning. */
public final class Memory {
    private Memory() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "operations/remembered-to-the-end",
                "Idempotency",
                "The first operation of a run is known and replayed at its end, whatever happened in between",
                Memory::rememberedToTheEnd));
    }

    private static void rememberedToTheEnd(Bench bench) {
        if (bench.first().isEmpty()) {
            bench.change().make(0).apply();
        }
        Bench.Done first = bench.first().orElseThrow();
        String id = first.operation().getOperationId();
        Operation[] known = new Operation[1];
        var lost = Refusal.ofCall(() -> known[0] = bench.operation(id));
        that(lost.isEmpty(), "GetOperation to know the first operation of the run at its end", lost);
        equal("operation", first.operation(), known[0]);
        ApplyCircuitsResponse again = bench.calls()
                .circuits()
                .applyCircuits(
                        first.request().toBuilder().setFencing(bench.fencing()).build());
        that(again.getReplayed(), "the repetition of the first operation to be replayed", again);
        equal("operation answered to the repetition", first.operation(), again.getOperation());
    }
}
