package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Fewest circuit ends in counted pods among topologies whose makespan stays within a limit (Eq. 4). It visits boxes in
 * the order of the ports of their smallest topology. A box is dropped when the bound of its largest topology is above
 * the limit; its smallest counts are raised for the same reason. The first box whose smallest topology meets the limit
 * is the answer.
 */
public final class PortMinimizer {
    private final FlowNetwork network;
    private final BoxPropagation boxes;
    private final int[] podOrder;
    private final Simulator simulator;
    private final Budget budget;
    private final Rates rates;
    private final double limitSeconds;
    private final PriorityQueue<Node> open = new PriorityQueue<>(Comparator.comparingInt(Node::ports)
            .thenComparing(Comparator.comparingLong(Node::number).reversed()));
    private long numbers;

    /** @param limitSeconds longest makespan allowed */
    public PortMinimizer(FlowNetwork network, Simulator simulator, Budget budget, Rates rates, double limitSeconds) {
        this.network = network;
        LowerBound bound = new LowerBound(network);
        this.boxes = new BoxPropagation(network, bound, budget);
        this.podOrder = bound.podsByLatestTask();
        this.simulator = simulator;
        this.budget = budget;
        this.rates = rates;
        this.limitSeconds = limitSeconds;
    }

    private record Node(int[] low, int[] high, double lowSeconds, int ports, long number) {}

    /**
     * Circuits per group, their makespan in seconds, and a number of ports that cannot be undercut within the limit.
     */
    public record Found(int[] circuits, double seconds, int portBound) {}

    /** Starts from a topology known to meet the limit. */
    public Found minimize(int[] known) {
        int[] best = trim(known);
        int bestPorts = network.ports(best);
        int unsettled = Integer.MAX_VALUE;
        add(Boxes.least(network), network.usefulCircuits(), Double.NaN);
        while (!open.isEmpty() && !budget.exhausted()) {
            Node node = open.remove();
            if (node.ports >= bestPorts) {
                open.clear();
                break;
            }
            double seconds = Double.isNaN(node.lowSeconds) ? simulate(node.low) : node.lowSeconds;
            if (seconds <= limitSeconds) {
                best = node.low;
                bestPorts = node.ports;
                budget.report(bestPorts, Math.min(bestPorts, unsettled));
                open.clear();
                break;
            }
            int group = firstOpen(node);
            if (group >= 0) {
                split(node, group, seconds);
            } else if (rates == Rates.JOINT) {
                // Other rates might still meet the limit here; fair rates are what they are.
                unsettled = Math.min(unsettled, node.ports);
            }
        }
        int lowest = open.isEmpty() ? bestPorts : open.peek().ports;
        return new Found(best, simulate(best), Math.min(bestPorts, Math.min(lowest, unsettled)));
    }

    private double simulate(int[] circuits) {
        budget.spend();
        return simulator.makespan(circuits, rates);
    }

    /** Takes circuits away one at a time while the makespan stays within the limit, until the stop signal. */
    private int[] trim(int[] known) {
        int[] circuits = known.clone();
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int g = 0; g < network.groups; g++) {
                while (circuits[g] > 1) {
                    if (budget.stopped()) {
                        return circuits;
                    }
                    circuits[g]--;
                    if (simulate(circuits) > limitSeconds) {
                        circuits[g]++;
                        break;
                    }
                    changed = true;
                }
            }
        }
        return circuits;
    }

    private void add(int[] low, int[] high, double lowSeconds) {
        int before = sum(low);
        if (!Boxes.tighten(network, low, high) || !boxes.raise(low, high, limitSeconds)) {
            return;
        }
        double known = sum(low) == before ? lowSeconds : Double.NaN;
        open.add(new Node(low, high, known, network.ports(low), numbers++));
    }

    /** The first open decision of the pods in order, so that neighbours are settled together. */
    private int firstOpen(Node node) {
        for (int p : podOrder) {
            for (int g = 0; g < network.groups; g++) {
                if (network.ends[g][p] > 0 && node.low[g] < node.high[g]) {
                    return g;
                }
            }
        }
        for (int g = 0; g < network.groups; g++) {
            if (node.low[g] < node.high[g]) {
                return g;
            }
        }
        return -1;
    }

    private void split(Node node, int group, double lowSeconds) {
        int middle = (node.low[group] + node.high[group]) >>> 1;
        int[] smallHigh = node.high.clone();
        smallHigh[group] = middle;
        int[] largeLow = node.low.clone();
        largeLow[group] = middle + 1;
        add(node.low.clone(), smallHigh, lowSeconds);
        add(largeLow, node.high.clone(), Double.NaN);
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
