package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Best topology under fair sharing (the objective of DELTA-Topo). Fair makespans are not monotone in the circuits, so
 * every topology whose bound is below the best known has to be simulated. A box is dropped by the {@link LowerBound} of
 * its largest topology, or split until single topologies are left. Complete enumeration is the proof. If the budget
 * ends first, the least bound left open is the lower bound.
 */
public final class FairSearch {
    private static final int BATCH = 256;
    /** Simulations between two looks at the stop signal. */
    private static final int CHUNK = 32;

    private final FlowNetwork network;
    private final SimulatorPool pool;
    private final Budget budget;
    private final LowerBound bound;
    private final PriorityQueue<Node> open =
            new PriorityQueue<>(Comparator.comparingDouble(Node::bound).thenComparingLong(Node::number));
    private final List<int[]> batch = new ArrayList<>();
    private int[] best;
    private double bestSeconds;
    private double batchBound = Double.POSITIVE_INFINITY;
    private long numbers;

    /** Starts from a good topology and its fair makespan in seconds. */
    public FairSearch(FlowNetwork network, SimulatorPool pool, Budget budget, int[] start, double startSeconds) {
        this.network = network;
        this.pool = pool;
        this.budget = budget;
        this.bound = new LowerBound(network);
        this.best = start;
        this.bestSeconds = startSeconds;
    }

    private record Node(int[] low, int[] high, double bound, long number) {}

    /** Circuits per group, their makespan and a bound for all topologies; both seconds. */
    public record Found(int[] circuits, double seconds, double lowerBound) {}

    public Found search() {
        add(Boxes.least(network), network.usefulCircuits());
        while (!open.isEmpty() && !budget.exhausted() && open.peek().bound < bestSeconds * (1 - JointSearch.EQUAL)) {
            Node node = open.remove();
            int group = widest(node);
            if (group < 0) {
                batch.add(node.high);
                batchBound = Math.min(batchBound, node.bound);
                if (batch.size() >= BATCH) {
                    simulate();
                }
                continue;
            }
            int middle = (node.low[group] + node.high[group]) >>> 1;
            int[] smallHigh = node.high.clone();
            smallHigh[group] = middle;
            int[] largeLow = node.low.clone();
            largeLow[group] = middle + 1;
            add(node.low.clone(), smallHigh);
            add(largeLow, node.high.clone());
        }
        simulate();
        double lowest = open.isEmpty() ? bestSeconds : open.peek().bound;
        return new Found(best, bestSeconds, Math.min(bestSeconds, Math.min(lowest, batchBound)));
    }

    private void add(int[] low, int[] high) {
        if (!Boxes.tighten(network, low, high)) {
            return;
        }
        budget.spend();
        double seconds = bound.seconds(high);
        if (seconds < bestSeconds * (1 - JointSearch.EQUAL)) {
            open.add(new Node(low, high, seconds, numbers++));
        }
    }

    /** Simulates what waits; after a stop some is left, and its bound with it. */
    private void simulate() {
        for (int from = 0; from < batch.size(); from += CHUNK) {
            if (budget.stopped()) {
                return;
            }
            List<int[]> chunk = batch.subList(from, Math.min(batch.size(), from + CHUNK));
            budget.spend(chunk.size());
            double[] seconds = pool.makespans(chunk, Rates.FAIR);
            for (int i = 0; i < seconds.length; i++) {
                if (seconds[i] < bestSeconds) {
                    bestSeconds = seconds[i];
                    best = chunk.get(i);
                    budget.report(bestSeconds, batchBound);
                }
            }
        }
        batch.clear();
        batchBound = Double.POSITIVE_INFINITY;
    }

    private static int widest(Node node) {
        int group = -1;
        int most = 0;
        for (int g = 0; g < node.low.length; g++) {
            if (node.high[g] - node.low[g] > most) {
                most = node.high[g] - node.low[g];
                group = g;
            }
        }
        return group;
    }
}
