package dev.lightpath.planner.stripe;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Decides small cases by trying everything: one switch per circuit, equal switches tried once, dead ends seen one pair
 * ahead.
 */
final class ExhaustiveStriping {
    /** What the search found out. */
    sealed interface Answer {}

    record Found(int[] placed) implements Answer {}

    record None() implements Answer {}

    record Unknown() implements Answer {}

    private static final long MOST_TRIALS = 2_000_000;

    private final CircuitGraph graph;
    private final SearchBudget budget;
    private final Integer[] order;
    private final int[] placed;
    private final int[] free;
    private long trials;

    private ExhaustiveStriping(CircuitGraph graph, SearchBudget budget) {
        this.graph = graph;
        this.budget = budget;
        placed = new int[graph.pairs() * graph.switches];
        free = graph.capacity.clone();
        int[] room = new int[graph.pairs()];
        for (int q = 0; q < graph.pairs(); q++) {
            room[q] = room(q) - graph.wanted[q];
        }
        order = IntStream.range(0, graph.pairs()).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingInt((Integer q) -> room[q]));
    }

    static Answer search(CircuitGraph graph, SearchBudget budget) {
        ExhaustiveStriping search = new ExhaustiveStriping(graph, budget);
        if (search.extend(0, 0, 0)) {
            return new Found(search.placed);
        }
        return search.exhausted() ? new Unknown() : new None();
    }

    private boolean exhausted() {
        return trials > MOST_TRIALS || budget.stop().getAsBoolean();
    }

    private int room(int q) {
        int room = 0;
        for (int k = 0; k < graph.switches; k++) {
            room += Math.min(free[graph.first[q] * graph.switches + k], free[graph.second[q] * graph.switches + k]);
        }
        return room;
    }

    /** Places circuit `nth` of the pair at `position` on switch `lowest` or above, then all that follow. */
    private boolean extend(int position, int nth, int lowest) {
        if (position == order.length) {
            return true;
        }
        int q = order[position];
        if (nth == graph.wanted[q]) {
            return promising(position + 1, q) && extend(position + 1, 0, 0);
        }
        for (int k = lowest; k < graph.switches; k++) {
            int u = graph.first[q] * graph.switches + k;
            int v = graph.second[q] * graph.switches + k;
            if (free[u] == 0 || free[v] == 0 || twinBelow(k, lowest)) {
                continue;
            }
            if (++trials > MOST_TRIALS) {
                return false;
            }
            free[u]--;
            free[v]--;
            placed[q * graph.switches + k]++;
            if (extend(position, nth + 1, k)) {
                return true;
            }
            free[u]++;
            free[v]++;
            placed[q * graph.switches + k]--;
            if (exhausted()) {
                return false;
            }
        }
        return false;
    }

    /** Whether a switch below k (and not below `lowest`) looks the same at every node: then k need not be tried. */
    private boolean twinBelow(int k, int lowest) {
        if (k == lowest) {
            return false;
        }
        for (int v = 0; v < graph.nodes; v++) {
            if (free[v * graph.switches + k] != free[v * graph.switches + k - 1]) {
                return false;
            }
        }
        return true;
    }

    private boolean promising(int position, int changed) {
        for (int p = position; p < order.length; p++) {
            int q = order[p];
            boolean near = graph.first[q] == graph.first[changed]
                    || graph.second[q] == graph.second[changed]
                    || graph.first[q] == graph.second[changed]
                    || graph.second[q] == graph.first[changed];
            if (near && room(q) < graph.wanted[q]) {
                return false;
            }
        }
        return true;
    }
}
