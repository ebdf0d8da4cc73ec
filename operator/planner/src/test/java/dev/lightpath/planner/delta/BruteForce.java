package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.Boxes;
import dev.lightpath.planner.delta.search.LowerBound;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.function.Consumer;

/** Every topology of a small instance, one after the other. */
public final class BruteForce {
    private final FlowNetwork network;
    private final Simulator simulator;
    private final LowerBound bound;

    public BruteForce(DeltaInstance instance) {
        network = new FlowNetwork(instance);
        simulator = new Simulator(network);
        bound = new LowerBound(network);
    }

    /** Least makespan of any simulation. */
    public double shortestSeconds(Rates rates) {
        return simulator.makespan(shortest(rates), rates);
    }

    /** The first topology with the least makespan. */
    public int[] shortest(Rates rates) {
        int[][] best = {Boxes.least(network)};
        double[] least = {simulator.makespan(best[0], rates)};
        forEach(circuits -> {
            double seconds = simulator.makespan(circuits, rates);
            if (seconds < least[0]) {
                least[0] = seconds;
                best[0] = circuits.clone();
            }
        });
        return best[0];
    }

    /** Least bound of any topology: what no rates whatever can beat. */
    public double leastBoundSeconds() {
        double[] least = {Double.POSITIVE_INFINITY};
        forEach(circuits -> least[0] = Math.min(least[0], bound.seconds(circuits)));
        return least[0];
    }

    /** Fewest ports of a topology whose simulation stays within the limit. */
    public int fewestPorts(Rates rates, double limitSeconds) {
        int[] fewest = {Integer.MAX_VALUE};
        forEach(circuits -> {
            if (network.ports(circuits) < fewest[0] && simulator.makespan(circuits, rates) <= limitSeconds) {
                fewest[0] = network.ports(circuits);
            }
        });
        return fewest[0];
    }

    /** Fewest ports of a topology with which some rates might stay within the limit. */
    public int fewestPortsByBound(double limitSeconds) {
        int[] fewest = {Integer.MAX_VALUE};
        forEach(circuits -> {
            if (bound.seconds(circuits) <= limitSeconds) {
                fewest[0] = Math.min(fewest[0], network.ports(circuits));
            }
        });
        return fewest[0];
    }

    private void forEach(Consumer<int[]> visitor) {
        visit(Boxes.least(network), 0, visitor);
    }

    private void visit(int[] circuits, int group, Consumer<int[]> visitor) {
        if (!network.fits(circuits)) {
            return;
        }
        if (group == network.groups) {
            visitor.accept(circuits);
            return;
        }
        for (int count = 1; count <= network.groupLimit[group]; count++) {
            circuits[group] = count;
            visit(circuits, group + 1, visitor);
        }
        circuits[group] = 1;
    }
}
