package dev.lightpath.planner.stripe;

import dev.lightpath.planner.stripe.StripingOutcome.Infeasible;
import java.util.Optional;

/**
 * Stripes a logical topology over switches (spec P1 and P2) so that as little light moves as can be (P3).
 *
 * <p>In steps: refuse what a counting argument refuses; keep every circuit that is still wanted; insert the others by alternating
 * chains; complete and improve by local search, exactly for two switches; where nothing complete was found and the case is
 * small, decide by exhaustive search. Memory is linear in pairs times switches.
 */
public final class Striper {
    private Striper() {}

    /** A striping with little light moved, or the reason why there is none. Deterministic for a request and a budget. */
    public static StripingOutcome stripe(StripingRequest request, SearchBudget budget) {
        CircuitGraph graph = new CircuitGraph(request);
        Optional<String> obstacle = Obstacle.find(graph);
        if (obstacle.isPresent()) {
            return new Infeasible(obstacle.get(), true);
        }
        Colouring colouring = new Colouring(graph);
        new ChainInsertion(colouring).insertAll();
        int mostKept = 0;
        for (int q = 0; q < graph.pairs(); q++) {
            mostKept += graph.mostKept(q);
        }
        boolean exact = request.device() == DeviceKind.TWO_SIDED && request.switches() == 2;
        if (!exact || colouring.unplacedCount() > 0) {
            colouring = new RewiringSearch(graph, budget, colouring).improve(mostKept);
        }
        if (colouring.unplacedCount() > 0) {
            Optional<Colouring> oriented = EulerStriping.complete(graph).filter(c -> c.unplacedCount() == 0);
            if (oriented.isPresent()) {
                colouring = new RewiringSearch(graph, budget, oriented.get()).improve(mostKept);
            }
        }
        if (exact && colouring.unplacedCount() == 0) {
            return PortAssignment.assign(graph, TwoSwitchSplit.improve(graph, colouring.placed));
        }
        if (colouring.unplacedCount() == 0) {
            return PortAssignment.assign(graph, colouring.placed);
        }
        return switch (ExhaustiveStriping.search(graph, budget)) {
            case ExhaustiveStriping.Found found -> PortAssignment.assign(graph, found.placed());
            case ExhaustiveStriping.None none -> new Infeasible("no striping exists: " + Obstacle.hint(graph), true);
            case ExhaustiveStriping.Unknown unknown ->
                new Infeasible(
                        "no striping found within " + budget.steps() + " steps, " + colouring.unplacedCount()
                                + " circuits left over: " + Obstacle.hint(graph),
                        false);
        };
    }
}
