package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.simulation.FlowNetwork;

/** Shrinks a box of topologies to those that may still end an iteration within a limit. */
final class BoxPropagation {
    private final FlowNetwork network;
    private final LowerBound bound;
    private final Budget budget;

    BoxPropagation(FlowNetwork network, LowerBound bound, Budget budget) {
        this.network = network;
        this.bound = bound;
        this.budget = budget;
    }

    /**
     * Raises each smallest count to the least with which the largest topology of the box can meet the limit. Lowers the
     * largest counts to what the ports then leave. Repeats both until nothing changes. Both arrays are changed in
     * place. Ends early at the stop signal.
     *
     * @param limitSeconds topologies whose bound is above it are dropped
     * @return false when no topology of the box is left
     */
    boolean raise(int[] low, int[] high, double limitSeconds) {
        int[] probe = new int[high.length];
        boolean changed = true;
        while (changed) {
            changed = false;
            if (above(high, limitSeconds)) {
                return false;
            }
            for (int g = 0; g < network.groups; g++) {
                if (budget.stopped()) {
                    return true;
                }
                if (low[g] == high[g]) {
                    continue;
                }
                System.arraycopy(high, 0, probe, 0, high.length);
                int from = low[g];
                probe[g] = from;
                if (!above(probe, limitSeconds)) {
                    continue;
                }
                from++;
                int enough = high[g];
                while (from < enough) {
                    int middle = (from + enough) >>> 1;
                    probe[g] = middle;
                    if (above(probe, limitSeconds)) {
                        from = middle + 1;
                    } else {
                        enough = middle;
                    }
                }
                low[g] = enough;
                changed = true;
                int before = sum(high);
                if (!Boxes.tighten(network, low, high)) {
                    return false;
                }
                if (sum(high) < before && above(high, limitSeconds)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean above(int[] circuits, double limitSeconds) {
        budget.spend();
        return bound.seconds(circuits) > limitSeconds;
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
