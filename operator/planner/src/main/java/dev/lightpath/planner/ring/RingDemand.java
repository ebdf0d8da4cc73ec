package dev.lightpath.planner.ring;

/**
 * The rings that one job requests.
 *
 * @param tensor t, GPUs of one group: a multiple of the fabric's gpusPerNode, or a divisor of it
 * @param groups how many groups
 */
public record RingDemand(int tensor, int groups) {

    public RingDemand {
        if (tensor < 1) {
            throw new IllegalArgumentException("tensor = " + tensor + ": must be at least 1");
        }
        if (groups < 1) {
            throw new IllegalArgumentException("groups = " + groups + ": must be at least 1");
        }
    }

    /** Whether groups of this size can be cut from nodes of R GPUs. */
    public boolean fits(RingFabric fabric) {
        return tensor % fabric.gpusPerNode() == 0 || fabric.gpusPerNode() % tensor == 0;
    }

    /** m, nodes of one group; 1 if groups share a node. */
    public int nodesPerGroup(RingFabric fabric) {
        requireFits(fabric);
        return Math.max(1, tensor / fabric.gpusPerNode());
    }

    /** How many groups one node holds; 1 unless the tensor is smaller than a node. */
    public int groupsPerNode(RingFabric fabric) {
        requireFits(fabric);
        return Math.max(1, fabric.gpusPerNode() / tensor);
    }

    private void requireFits(RingFabric fabric) {
        if (!fits(fabric)) {
            throw new IllegalArgumentException("tensor = " + tensor
                    + ": must be a multiple or a divisor of gpusPerNode (" + fabric.gpusPerNode() + ")");
        }
    }
}
