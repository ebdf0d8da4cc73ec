package dev.lightpath.planner.ring;

/**
 * Which bundle of a node reaches which neighbour, and which GPUs a bundle joins.
 *
 * <p>With h = K / 2 rounded down, bundles 0..h-1 look left (bundle b passes hops -(2b+1) and -(2b+2)), bundles h..2h-1
 * right alike. With odd K the last bundle is <em>mixed</em>: {@code PATH_1} passes -K, {@code PATH_2} passes +K, and a
 * node cannot use both at once. InfinitePOD does not mention this rule.
 *
 * @param reach K, 2..8
 */
public record PortMap(int reach) {

    public PortMap {
        if (reach < RingFabric.LEAST_REACH || reach > RingFabric.GREATEST_REACH) {
            throw new IllegalArgumentException(
                    "reach = " + reach + ": must be " + RingFabric.LEAST_REACH + ".." + RingFabric.GREATEST_REACH);
        }
    }

    public int bundles() {
        return reach;
    }

    /** The bundle that serves one side at a time, or -1 for an even reach. */
    public int mixedBundle() {
        return reach % 2 == 0 ? -1 : reach - 1;
    }

    /**
     * The bundle and path that pass a hop.
     *
     * @param hop -K..-1 (to the left) or 1..K (to the right)
     */
    public BundlePath pathOf(int hop) {
        int distance = Math.abs(hop);
        if (distance < 1 || distance > reach) {
            throw new IllegalArgumentException("hop = " + hop + ": must be 1.." + reach + " to either side");
        }
        if (distance == reach && mixedBundle() >= 0) {
            return new BundlePath(mixedBundle(), hop < 0 ? BundleState.PATH_1 : BundleState.PATH_2);
        }
        int bundle = (distance - 1) / 2 + (hop < 0 ? 0 : reach / 2);
        return new BundlePath(bundle, distance % 2 == 1 ? BundleState.PATH_1 : BundleState.PATH_2);
    }

    /** The signed hop that a path passes; 0 for a loopback. */
    public int hopOf(BundlePath path) {
        int bundle = path.bundle();
        if (bundle >= reach) {
            throw new IllegalArgumentException("bundle = " + bundle + ": must be 0.." + (reach - 1));
        }
        int second = switch (path.state()) {
            case LOOPBACK -> -1;
            case PATH_1 -> 0;
            case PATH_2 -> 1;
        };
        if (second < 0) {
            return 0;
        }
        if (bundle == mixedBundle()) {
            return second == 0 ? -reach : reach;
        }
        int half = reach / 2;
        int distance = 2 * (bundle % half) + 1 + second;
        return bundle < half ? -distance : distance;
    }

    /**
     * The pair-edge of the node's GPU cycle that carries a bundle: edge e joins GPU e and GPU e+1 (mod R).
     *
     * @param gpusPerNode R
     */
    public int edgeOf(int bundle, int gpusPerNode) {
        return bundle * gpusPerNode / reach;
    }

    /**
     * Bits of the states that all bundles of a member must take, three bits per bundle, or -1 if the member would need
     * its mixed bundle on both sides.
     *
     * @param left hop distance to the member before it, 0 at the start of a group
     * @param right hop distance to the member after it, 0 at the end
     */
    public int statesMask(int left, int right) {
        BundlePath in = left == 0 ? null : pathOf(-left);
        BundlePath out = right == 0 ? null : pathOf(right);
        if (in != null && out != null && in.bundle() == out.bundle()) {
            return -1;
        }
        int mask = (in == null ? 0 : in.bit()) | (out == null ? 0 : out.bit());
        for (int bundle = 0; bundle < reach; bundle++) {
            boolean lit = (in != null && in.bundle() == bundle) || (out != null && out.bundle() == bundle);
            if (!lit) {
                mask |= new BundlePath(bundle, BundleState.LOOPBACK).bit();
            }
        }
        return mask;
    }
}
