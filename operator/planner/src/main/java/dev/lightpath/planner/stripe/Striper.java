package dev.lightpath.planner.stripe;

import dev.lightpath.planner.stripe.StripingOutcome.Infeasible;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stripes a logical topology over switches (spec P1 and P2) so that as few circuits as possible move (P3).
 *
 * <p>The steps are: refuse what a counting argument refuses; keep every circuit that is still wanted; insert the others
 * by alternating chains; complete and improve by local search, exactly for two switches. If no complete striping was
 * found and the case is small, an exhaustive search decides. Memory is linear in pairs times switches.
 */
public final class Striper {
    private Striper() {}

    /**
     * The circuits that can be lit when not all can.
     *
     * @param striped circuits that fit, numbers counted over these alone
     * @param missing requested circuits without a place, as pod pairs, one entry each
     */
    public record Partial(StripingOutcome.Striped striped, List<Circuit> missing) {
        public Partial {
            missing = List.copyOf(missing);
        }
    }

    /**
     * As many circuits as the search can place, in the manner of {@link #stripe}: for a fabric with more faults than
     * spares.
     */
    public static Partial stripeMost(StripingRequest request, SearchBudget budget) {
        CircuitGraph graph = new CircuitGraph(request);
        Colouring colouring = new Colouring(graph);
        new ChainInsertion(colouring).insertAll();
        colouring = new RewiringSearch(graph, budget, colouring).improve(graph.mostKept());
        List<Circuit> missing = new ArrayList<>();
        for (int i = 0; i < colouring.unplacedCount(); i++) {
            int q = colouring.unplaced(i);
            missing.add(new Circuit(graph.pod(graph.first[q]), graph.pod(graph.second[q])));
        }
        missing.sort(null);
        StripingOutcome.Striped lit = PortAssignment.assign(graph, colouring.placed);
        int bound = Math.max(0, lit.lowerBound() - missing.size());
        return new Partial(new StripingOutcome.Striped(lit.switches(), lit.moved(), bound, lit.kept()), missing);
    }

    /**
     * A striping with little light moved, or the reason why there is none. Deterministic for a request and a budget.
     */
    public static StripingOutcome stripe(StripingRequest request, SearchBudget budget) {
        CircuitGraph graph = new CircuitGraph(request);
        Optional<String> obstacle = Obstacle.find(graph);
        if (obstacle.isPresent()) {
            return new Infeasible(obstacle.get(), true);
        }
        Colouring colouring = new Colouring(graph);
        new ChainInsertion(colouring).insertAll();
        int mostKept = graph.mostKept();
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
