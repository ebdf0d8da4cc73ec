package dev.lightpath.conformance.requirement.fence;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.requirement.Requirement;
import java.util.List;
import java.util.Set;

/** Two changes of two epochs sent together: the higher one may wait, and is judged by what it finds then. */
public final class InTurn {
    private static final int ROUNDS = 8;

    private InTurn() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "operations/one-port-of-two-epochs",
                "Ports; Higher epochs; CONFLICT_POLICY_SAFE",
                "Of two changes of two epochs sent at once that need the same port, one at most is carried out",
                InTurn::onePort));
    }

    private static void onePort(Bench bench) throws InterruptedException {
        // the lower may come second, or have broken already what the higher names too
        Set<String> reasons = Set.of("PORT_IN_USE", "NO_SUCH_CIRCUIT", "STALE_EPOCH");
        for (int round = 0; round < ROUNDS; round++) {
            Change lower = bench.change().make(0);
            bench.raiseEpoch();
            Change higher = bench.layout().crosses()
                    ? bench.change().connect(bench.layout().crossing(1, 0))
                    : bench.change().makeInstead(0, bench.layout().alternative(0));
            AtOnce.one(bench, lower, higher, reasons);
        }
    }
}
