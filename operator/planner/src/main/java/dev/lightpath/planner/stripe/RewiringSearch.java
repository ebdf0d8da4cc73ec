package dev.lightpath.planner.stripe;

import java.util.SplittableRandom;

/**
 * Iterated local search for a complete colouring that keeps as many circuits as it can. A kick returns one displaced
 * circuit to its old place and evicts the circuits there. Each evicted circuit takes the cheapest switch and may evict
 * others, with a short memory against cycles. When all have a place, the result is rated, and dropped if it keeps fewer
 * circuits. Started with an incomplete colouring, the same search completes it. A step costs O(switches * ports of a
 * pod on a switch).
 */
final class RewiringSearch {
    /** Price of evicting a circuit, in circuits moved. */
    private static final double EVICTION = 0.9;

    /** Width of the uniform noise on prices. */
    private static final double NOISE = 0.7;

    /** Steps without fewer unplaced circuits before a kick is given up. */
    private static final int PATIENCE = 400;
    /** One worsening kick in this many is accepted. */
    private static final int WANDER = 50;
    /** Kicks without a new best before the search returns to it. */
    private static final int RETURN = 400;

    /** Most circuits that a shake moves, less two. */
    private static final int SHAKES = 6;

    private final CircuitGraph graph;
    private final SearchBudget budget;
    private final SplittableRandom random;
    private final int switches;
    /** First step at which pair q may again go to switch k. */
    private final long[] barred;

    private final Colouring trial;
    private long step;

    RewiringSearch(CircuitGraph graph, SearchBudget budget, Colouring start) {
        this.graph = graph;
        this.budget = budget;
        random = new SplittableRandom(budget.seed());
        switches = graph.switches;
        barred = new long[graph.pairs() * switches];
        trial = start.copy();
    }

    /** The best colouring found: complete if it can be had, then keeping most; ends early at `mostKept`. */
    Colouring improve(int mostKept) {
        Colouring best = trial.copy();
        Colouring incomplete = trial.copy();
        int unplaced = trial.unplacedCount();
        int kept = trial.kept();
        int calm = 0;
        trial.mark();
        while (step < budget.steps()
                && switches > 1
                && !(best.unplacedCount() == 0 && best.kept() >= mostKept)
                && !budget.stop().getAsBoolean()) {
            if (trial.unplacedCount() == 0) {
                kick();
            }
            settleAll();
            calm++;
            if (better(trial.unplacedCount(), trial.kept(), best.unplacedCount(), best.kept())) {
                best.become(trial);
                calm = 0;
            }
            int leniency = random.nextInt(WANDER) == 0 ? 1 : 0;
            boolean back = calm > RETURN;
            if (back) {
                trial.become(best);
                calm = 0;
                shake();
            }
            if (back || !better(unplaced, kept - leniency, trial.unplacedCount(), trial.kept())) {
                unplaced = trial.unplacedCount();
                kept = trial.kept();
                trial.mark();
                if (unplaced > 0) {
                    incomplete.become(trial);
                }
            } else if (unplaced > 0) {
                trial.become(incomplete);
            } else {
                trial.rollBack();
            }
        }
        return best;
    }

    private static boolean better(int unplaced, int kept, int otherUnplaced, int otherKept) {
        return unplaced < otherUnplaced || (unplaced == otherUnplaced && kept > otherKept);
    }

    /** Leaves a dead end: some displaced circuits go anywhere, and the result is taken as it comes. */
    private void shake() {
        int moves = 2 + random.nextInt(SHAKES);
        for (int i = 0; i < moves && trial.unplacedCount() == 0; i++) {
            wander(trial.displaced(random.nextInt(trial.displacedCount())));
            settleAll();
        }
    }

    private void settleAll() {
        int fewest = trial.unplacedCount();
        long patience = step + PATIENCE;
        while (trial.unplacedCount() > 0 && step < patience && step < budget.steps()) {
            settle();
            if (trial.unplacedCount() < fewest) {
                fewest = trial.unplacedCount();
                patience = step + PATIENCE;
            }
        }
    }

    /** Moves one displaced circuit: to its former switch if that lost it, else to any. */
    private void kick() {
        step++;
        int displaced = trial.displacedCount();
        int offset = random.nextInt(displaced);
        for (int i = 0; i < displaced; i++) {
            int at = trial.displaced((offset + i) % displaced);
            int q = at / switches;
            int start = random.nextInt(switches);
            for (int j = 0; j < switches; j++) {
                int k = (start + j) % switches;
                if (trial.gains(q, k)) {
                    trial.remove(q, at % switches);
                    land(q, k);
                    return;
                }
            }
        }
        wander(trial.displaced(offset));
    }

    /** Moves one circuit from a place to a random switch. */
    private void wander(int at) {
        int q = at / switches;
        int to = random.nextInt(switches);
        if (to != at % switches
                && graph.capacity[graph.first[q] * switches + to] > 0
                && graph.capacity[graph.second[q] * switches + to] > 0) {
            trial.remove(q, at % switches);
            land(q, to);
        }
    }

    /** Places one unplaced circuit on the switch where that is cheapest. */
    private void settle() {
        step++;
        int q = trial.take(random.nextInt(trial.unplacedCount()));
        int best = -1;
        double least = Double.MAX_VALUE;
        for (int k = 0; k < switches; k++) {
            if (barred[q * switches + k] > step) {
                continue;
            }
            double cost = (trial.gains(q, k) ? -1 : 0) + random.nextDouble() * NOISE;
            if (cost >= least) {
                continue;
            }
            cost += price(graph.first[q], k);
            if (cost >= least) {
                continue;
            }
            cost += price(graph.second[q], k);
            if (cost < least) {
                least = cost;
                best = k;
            }
        }
        if (best < 0) {
            trial.putBack(q);
        } else {
            land(q, best);
        }
    }

    /** The cost of room at a node: nothing, an eviction, or an eviction of a circuit that could have stayed. */
    private double price(int node, int k) {
        if (trial.free(node, k)) {
            return 0;
        }
        int used = trial.used(node, k);
        if (used == 0) {
            return Double.POSITIVE_INFINITY;
        }
        for (int s = 0; s < used; s++) {
            if (!trial.loses(trial.slot(node, k, s), k)) {
                return EVICTION;
            }
        }
        return EVICTION + 1;
    }

    private void land(int q, int k) {
        if (!trial.free(graph.first[q], k)) {
            evict(graph.first[q], k, q);
        }
        if (!trial.free(graph.second[q], k)) {
            evict(graph.second[q], k, q);
        }
        trial.place(q, k);
    }

    private void evict(int node, int k, int arriving) {
        int used = trial.used(node, k);
        int victim = -1;
        double least = Double.MAX_VALUE;
        for (int s = 0; s < used; s++) {
            int q = trial.slot(node, k, s);
            double cost = random.nextDouble() * NOISE + (trial.loses(q, k) ? 1 : 0) + (q == arriving ? 10 : 0);
            if (cost < least) {
                least = cost;
                victim = q;
            }
        }
        trial.remove(victim, k);
        trial.putBack(victim);
        barred[victim * switches + k] = step + 6 + random.nextInt(10) + trial.unplacedCount();
    }
}
