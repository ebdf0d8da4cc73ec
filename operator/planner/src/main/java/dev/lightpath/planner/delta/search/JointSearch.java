package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Best-first branch and bound over boxes of topologies under joint rates. With freely chosen rates more circuits never
 * hurt, and {@link LowerBound} never grows with them. So the largest topology of a box bounds the box. If it fits the
 * ports, it is the only one of the box to look at. Deterministic; anytime.
 */
public final class JointSearch {
    /** Two makespans closer than this, relative to them, count as equal. */
    static final double EQUAL = 1e-12;

    private final FlowNetwork network;
    private final LowerBound bound;
    private final BoxPropagation boxes;
    private final Simulator simulator;
    private final Budget budget;
    private final int[] podOrder;
    private final PriorityQueue<Node> open =
            new PriorityQueue<>(Comparator.comparingDouble(Node::bound).thenComparingLong(Node::number));
    private int[] best;
    private double bestSeconds = Double.POSITIVE_INFINITY;
    /** Smallest bound among topologies whose simulation stayed above it. */
    private double unsettled = Double.POSITIVE_INFINITY;

    private double rootBound;
    private long numbers;

    public JointSearch(FlowNetwork network, Simulator simulator, Budget budget) {
        this.network = network;
        this.simulator = simulator;
        this.budget = budget;
        this.bound = new LowerBound(network);
        this.boxes = new BoxPropagation(network, bound, budget);
        this.best = Boxes.least(network);
        this.podOrder = bound.podsByLatestTask();
    }

    /** A box: counts between low and high; high is tightened to the ports. */
    private record Node(int[] low, int[] high, double bound, long number) {}

    /** What was found: circuits per group, their makespan, and a bound for all topologies; both seconds. */
    public record Found(int[] circuits, double seconds, double lowerBound) {}

    /** Searches, starting from topologies that are worth a look. */
    public Found search(int[]... starts) {
        int[] high = network.usefulCircuits();
        Node root = node(Boxes.least(network), high);
        if (root == null) {
            throw infeasible(network);
        }
        rootBound = root.bound;
        for (int[] start : starts) {
            consider(start);
        }
        consider(best);
        open.add(root);
        dive(root);
        while (!open.isEmpty() && !budget.exhausted()) {
            Node node = open.remove();
            if (node.bound >= bestSeconds * (1 - EQUAL)) {
                open.clear();
                break;
            }
            Node[] children = expandWithin(node);
            for (Node child : children) {
                if (child.bound < bestSeconds * (1 - EQUAL)) {
                    open.add(child);
                }
            }
            if (children.length > 0 && numbers % 64 < 2) {
                dive(children[0]);
            }
        }
        double lowest = open.isEmpty() ? bestSeconds : open.peek().bound;
        return new Found(best, bestSeconds, Math.min(bestSeconds, Math.min(lowest, unsettled)));
    }

    /** The error for a network in which one circuit per pair is already too much. */
    public static InfeasibleBudget infeasible(FlowNetwork network) {
        int[] least = Boxes.least(network);
        for (int p = 0; p < network.podPorts.length; p++) {
            if (network.used(least, p) > network.podPorts[p]) {
                return new InfeasibleBudget("one circuit per active pair takes " + network.used(least, p)
                        + " ports of counted pod " + network.podIds[p] + ", which has " + network.podPorts[p]);
            }
        }
        throw new IllegalStateException("every pod has ports enough for one circuit per pair");
    }

    private @Nullable Node node(int[] low, int[] high) {
        if (!Boxes.tighten(network, low, high)) {
            return null;
        }
        budget.spend();
        return new Node(low, high, bound.seconds(high), numbers++);
    }

    /** Expands what is left of a box when only better topologies than the best known are wanted. */
    private Node[] expandWithin(Node node) {
        if (bestSeconds < Double.POSITIVE_INFINITY && !network.fits(node.high)) {
            int[] low = node.low.clone();
            int[] high = node.high.clone();
            if (!boxes.raise(low, high, bestSeconds * (1 - EQUAL))) {
                return new Node[0];
            }
            return expand(new Node(low, high, Math.max(node.bound, bound.seconds(high)), node.number));
        }
        return expand(node);
    }

    /** Follows the better half of boxes down to one topology. */
    private void dive(Node from) {
        Node node = from;
        while (node.bound < bestSeconds * (1 - EQUAL) && !budget.stopped()) {
            Node[] children = expand(node);
            if (children.length == 0) {
                return;
            }
            node = children[0];
        }
    }

    /**
     * The halves of a box, better first; none when its largest topology fits and has been tried. After the stop signal,
     * the first halves there are.
     */
    private Node[] expand(Node node) {
        if (network.fits(node.high)) {
            double seconds = consider(node.high);
            if (node.bound < seconds * (1 - EQUAL)) {
                unsettled = Math.min(unsettled, node.bound);
            }
            return new Node[0];
        }
        int pod = firstOverfullPod(node);
        Node[] chosen = new Node[0];
        double score = Double.NEGATIVE_INFINITY;
        double second = Double.NEGATIVE_INFINITY;
        for (int g = 0; g < network.groups && !(score > Double.NEGATIVE_INFINITY && budget.stopped()); g++) {
            if (network.ends[g][pod] > 0 && node.low[g] < node.high[g]) {
                Node[] halves = halves(node, g);
                double low = Double.POSITIVE_INFINITY;
                double high = halves.length < 2 ? Double.POSITIVE_INFINITY : halves[1].bound;
                if (halves.length > 0) {
                    low = halves[0].bound;
                }
                if (low > score || (low == score && high > second)) {
                    score = low;
                    second = high;
                    chosen = halves;
                }
            }
        }
        return chosen;
    }

    private Node[] halves(Node node, int group) {
        int middle = (node.low[group] + node.high[group]) >>> 1;
        int[] smallHigh = node.high.clone();
        smallHigh[group] = middle;
        int[] largeLow = node.low.clone();
        largeLow[group] = middle + 1;
        Node small = node(node.low.clone(), smallHigh);
        Node large = node(largeLow, node.high.clone());
        if (small == null) {
            return large == null ? new Node[0] : new Node[] {large};
        }
        if (large == null) {
            return new Node[] {small};
        }
        return large.bound <= small.bound ? new Node[] {large, small} : new Node[] {small, large};
    }

    /**
     * In a fixed order of pods, so that neighbouring decisions are settled together and their ports soon become exact.
     */
    private int firstOverfullPod(Node node) {
        int at = 0;
        while (network.used(node.high, podOrder[at]) <= network.podPorts[podOrder[at]]) {
            at++;
        }
        return podOrder[at];
    }

    private double consider(int[] circuits) {
        if (!network.fits(circuits)) {
            return Double.POSITIVE_INFINITY;
        }
        budget.spend();
        double seconds = simulator.makespan(circuits, Rates.JOINT);
        if (seconds < bestSeconds) {
            bestSeconds = seconds;
            best = circuits.clone();
            budget.report(seconds, open.isEmpty() ? rootBound : open.peek().bound);
        }
        return seconds;
    }
}
