package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.simulation.FlowNetwork;
import java.util.Arrays;

/** Sets of topologies between a smallest and a largest count per group, within the port budgets. */
public final class Boxes {
    private Boxes() {}

    /**
     * Lowers {@code high} to what the ports allow when every other group takes its smallest count.
     *
     * @return false when no topology of the box fits the ports
     */
    static boolean tighten(FlowNetwork network, int[] low, int[] high) {
        for (int p = 0; p < network.podPorts.length; p++) {
            int spare = network.podPorts[p] - network.used(low, p);
            if (spare < 0) {
                return false;
            }
            for (int g = 0; g < network.groups; g++) {
                int ends = network.ends[g][p];
                if (ends > 0) {
                    high[g] = Math.min(high[g], low[g] + spare / ends);
                }
            }
        }
        for (int g = 0; g < network.groups; g++) {
            if (low[g] > high[g]) {
                return false;
            }
        }
        return true;
    }

    /** One circuit per pair, the least that every topology has. */
    public static int[] least(FlowNetwork network) {
        int[] low = new int[network.groups];
        Arrays.fill(low, 1);
        return low;
    }
}
