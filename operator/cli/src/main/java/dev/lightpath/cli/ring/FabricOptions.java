package dev.lightpath.cli.ring;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import java.util.function.Supplier;

/** Turns what a user typed into a fabric, with the planner's complaints as bad input. */
final class FabricOptions {

    /** Far beyond any fabric; more would exhaust the memory. */
    static final int MOST_NODES = 1 << 22;

    private FabricOptions() {}

    /** @throws BadInput with the message of the planner's refusal */
    static <T> T checked(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new BadInput(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * @param gpus of the whole fabric
     * @param nodesPerAggregation 0 for all nodes
     */
    static RingFabric fabric(
            RingShape shape, int gpus, int gpusPerNode, int reach, int nodesPerTor, int nodesPerAggregation) {
        if (gpusPerNode < 1) {
            throw new BadInput("gpusPerNode = " + gpusPerNode + ": must be at least 1");
        }
        if (gpus < gpusPerNode || gpus % gpusPerNode != 0) {
            throw new BadInput("gpus = " + gpus + ": must be a multiple of gpusPerNode (" + gpusPerNode + ")");
        }
        int nodes = nodes("gpus = " + gpus, gpus / gpusPerNode);
        return checked(() -> new RingFabric(
                shape, nodes, reach, gpusPerNode, nodesPerTor, nodesPerAggregation == 0 ? nodes : nodesPerAggregation));
    }

    /** @throws BadInput if there are none or more than {@link #MOST_NODES} */
    static int nodes(String what, int nodes) {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new BadInput(what + ": must be 1.." + MOST_NODES + " nodes");
        }
        return nodes;
    }
}
