package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * The GPUs met by following the light from GPU 0 of a node over its edge 0.
 *
 * <p>Knows the port map by arithmetic of its own, because it judges what {@link BundleDerivation} made of
 * {@link PortMap}.
 *
 * @param gpus in the order met, each once
 * @param closed whether the step after the last leads back to the first
 */
public record GpuWalk(List<Gpu> gpus, boolean closed) {

    public GpuWalk {
        gpus = List.copyOf(gpus);
    }

    /**
     * Walks until the start comes up again, a path's far end does not answer, or more than {@code most} GPUs are met.
     */
    public static GpuWalk from(RingFabric fabric, BundleStates states, int position, int most) {
        int gpusPerNode = fabric.gpusPerNode();
        int[] bundleOfEdge = new int[gpusPerNode];
        java.util.Arrays.fill(bundleOfEdge, -1);
        for (int bundle = 0; bundle < fabric.reach(); bundle++) {
            bundleOfEdge[edge(fabric, bundle)] = bundle;
        }
        List<Gpu> met = new ArrayList<>();
        int node = position;
        int gpu = 0;
        boolean upward = true;
        while (met.size() <= most) {
            met.add(new Gpu(node, gpu));
            int edge = upward ? gpu : Math.floorMod(gpu - 1, gpusPerNode);
            int bundle = bundleOfEdge[edge];
            int hop = bundle < 0 ? 0 : hop(fabric, bundle, states.of(node, bundle));
            if (hop == 0) {
                gpu = upward ? (gpu + 1) % gpusPerNode : edge;
            } else {
                int far = fabric.at(node, hop);
                int farBundle = far < 0 ? -1 : answering(fabric, states, far, -hop);
                if (farBundle < 0) {
                    return new GpuWalk(met, false);
                }
                int farEdge = edge(fabric, farBundle);
                gpu = upward ? farEdge : (farEdge + 1) % gpusPerNode;
                node = far;
                upward = !upward;
            }
            if (node == position && gpu == 0) {
                return new GpuWalk(met, true);
            }
        }
        return new GpuWalk(met, false);
    }

    private static int answering(RingFabric fabric, BundleStates states, int position, int hop) {
        for (int bundle = 0; bundle < fabric.reach(); bundle++) {
            if (hop(fabric, bundle, states.of(position, bundle)) == hop) {
                return bundle;
            }
        }
        return -1;
    }

    private static int edge(RingFabric fabric, int bundle) {
        return bundle * fabric.gpusPerNode() / fabric.reach();
    }

    /** The signed hop of an active path, 0 for a loopback. */
    static int hop(RingFabric fabric, int bundle, BundleState state) {
        if (state == BundleState.LOOPBACK) {
            return 0;
        }
        int reach = fabric.reach();
        boolean first = state == BundleState.PATH_1;
        if ((reach & 1) == 1 && bundle == reach - 1) {
            return first ? -reach : reach;
        }
        int side = bundle < reach / 2 ? -1 : 1;
        int within = side < 0 ? bundle : bundle - reach / 2;
        return side * (within + within + (first ? 1 : 2));
    }
}
