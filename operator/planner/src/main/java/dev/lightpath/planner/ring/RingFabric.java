package dev.lightpath.planner.ring;

/**
 * The geometry of one OCSTrx fabric (InfinitePOD section 4.2, deployment of Algorithm 3).
 *
 * <p>A node has two names: its <em>network number</em> v counts along the racks (ToR v / nodesPerTor), its <em>ring
 * position</em> counts along the fibre: {@code (v mod p) * (n / p) + v / p}. Both are in {@code 0..positions-1} and the
 * same when p = 1.
 *
 * @param shape line or ring
 * @param positions n, nodes along the fibre
 * @param reach K, bundles per node and farthest hop; 2..8, at most gpusPerNode, on a ring at most positions / 2
 * @param gpusPerNode R, GPUs of a node
 * @param nodesPerTor p, nodes below one top-of-rack switch; divides positions
 * @param nodesPerAggregation d, nodes below one group of aggregation switches; divides positions, multiple of p
 */
public record RingFabric(
        RingShape shape, int positions, int reach, int gpusPerNode, int nodesPerTor, int nodesPerAggregation) {

    public static final int LEAST_REACH = 2;
    public static final int GREATEST_REACH = 8;

    /** @throws IllegalArgumentException naming the field, its value and what is allowed */
    public RingFabric {
        require(positions >= 1, "positions", positions, "at least 1");
        require(gpusPerNode >= 1, "gpusPerNode", gpusPerNode, "at least 1");
        require(reach >= LEAST_REACH && reach <= GREATEST_REACH, "reach", reach, LEAST_REACH + ".." + GREATEST_REACH);
        require(reach <= gpusPerNode, "reach", reach, "at most gpusPerNode (" + gpusPerNode + ")");
        require(
                shape == RingShape.LINE || 2 * reach <= positions,
                "reach",
                reach,
                "at most half of the positions of a ring (" + positions + " / 2)");
        require(nodesPerTor >= 1, "nodesPerTor", nodesPerTor, "at least 1");
        require(
                positions % nodesPerTor == 0,
                "nodesPerTor",
                nodesPerTor,
                "a divisor of the node count (" + positions + ")");
        require(nodesPerAggregation >= 1, "nodesPerAggregation", nodesPerAggregation, "at least 1");
        require(
                nodesPerAggregation % nodesPerTor == 0,
                "nodesPerAggregation",
                nodesPerAggregation,
                "a multiple of nodesPerTor (" + nodesPerTor + ")");
        require(
                positions % nodesPerAggregation == 0,
                "nodesPerAggregation",
                nodesPerAggregation,
                "a divisor of the node count (" + positions + ")");
    }

    /** A fabric without racks: one node per ToR, one aggregation domain. */
    public static RingFabric of(RingShape shape, int positions, int reach, int gpusPerNode) {
        return new RingFabric(shape, positions, reach, gpusPerNode, 1, positions);
    }

    private static void require(boolean holds, String field, int value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(field + " = " + value + ": must be " + allowed);
        }
    }

    /** Top-of-rack switches, also the length of a sub-line. */
    public int tors() {
        return positions / nodesPerTor;
    }

    /** Aggregation domains. */
    public int aggregations() {
        return positions / nodesPerAggregation;
    }

    public int positionOf(int networkNumber) {
        return (networkNumber % nodesPerTor) * tors() + networkNumber / nodesPerTor;
    }

    public int networkNumberOf(int position) {
        return (position % tors()) * nodesPerTor + position / tors();
    }

    /** The top-of-rack switch of a ring position. */
    public int torOf(int position) {
        return position % tors();
    }

    /** The aggregation domain of a ring position. */
    public int aggregationOf(int position) {
        return torOf(position) / (nodesPerAggregation / nodesPerTor);
    }

    public boolean contains(int position) {
        return position >= 0 && position < positions;
    }

    /** Steps to the right from u to v: on a ring 0..n-1, on a line negative if v lies to the left. */
    public int hop(int u, int v) {
        return shape == RingShape.RING ? Math.floorMod(v - u, positions) : v - u;
    }

    /** The position {@code hop} steps to the right of u (negative: left); -1 beyond the end of a line. */
    public int at(int u, int hop) {
        int v = u + hop;
        if (shape == RingShape.RING) {
            return Math.floorMod(v, positions);
        }
        return contains(v) ? v : -1;
    }
}
