package dev.lightpath.benchmarks.whole;

import java.util.ArrayList;
import java.util.List;

/**
 * What is built and how often it is tried.
 *
 * @param nodes of 4 GPUs on a ring of reach 3
 * @param jobs light-only, of groups of 4 nodes: one and two groups by turns, or only one where the ring is small
 * @param pods on 16 two-sided switches, 2 ports of each pod on each; 0: there is only the ring
 * @param gpus of the job whose way from apply to Ready is measured
 * @param faults single ones, by Node and by driver each
 * @param bursts of 8 faults at once
 * @param applies of the measured job
 */
record Size(String name, int nodes, int jobs, int pods, int gpus, int faults, int bursts, int applies) {
    static final int SWITCHES = 16;
    static final int PORTS = 2;
    static final int GPUS_PER_NODE = 4;

    static Size named(String name) {
        return switch (name) {
            case "64" -> new Size(name, 64, 8, 0, 64, 100, 5, 10);
            case "1000" -> new Size(name, 1000, 100, 0, 1024, 100, 10, 20);
            case "10000" -> new Size(name, 10_000, 1000, 0, 1024, 30, 5, 10);
            case "hostile" -> new Size(name, 256, 16, 16, 64, 200, 0, 0);
            case "both" -> new Size(name, 1024, 10, 64, 1024, 0, 0, 10);
            default ->
                throw new IllegalArgumentException(
                        "--sizes " + name + ": allowed are 64, 1000, 10000 and both, by commas");
        };
    }

    /** The same with a fifth of the repetitions. */
    Size quick() {
        return new Size(name, nodes, jobs, pods, gpus, faults / 5, bursts / 5, applies / 5);
    }

    static List<Size> all(String names) {
        List<Size> sizes = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            sizes.add(named(name));
        }
        return sizes;
    }

    /**
     * Every tenth node is kept out of all plans until the jobs have their places: spares as an old cluster has them.
     */
    boolean isSpare(int node) {
        return pods == 0 && node % 10 == 9;
    }

    int groups(int job) {
        return nodes < 100 || job % 2 == 0 ? 1 : 2;
    }

    /**
     * So long the aftermath of what was mended or deleted, its clearing, statuses and conditions of nodes, may take.
     */
    long breathMillis() {
        return Manifests.CLEAR_SECONDS * 1000L + (nodes > 2000 ? 1000 : 500);
    }

    /** Whether a namespace is hostile to the jobs on the ring. */
    boolean isHostile() {
        return name.equals("hostile");
    }

    int podGpus() {
        return nodes * GPUS_PER_NODE / pods;
    }
}
