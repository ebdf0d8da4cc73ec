package dev.lightpath.benchmarks.whole;

/**
 * What is built and how often it is tried.
 *
 * @param nodes on a ring of reach 3
 * @param gpusPerNode of each of them
 * @param jobs light-only, of groups of 4 nodes: one and two groups by turns, or only one where the ring is small
 * @param pods on 16 two-sided switches, 2 ports of each pod on each; 0: there is only the ring
 * @param gpus of the job whose way from apply to Ready is measured
 * @param faults single ones, by Node and by driver each
 * @param bursts of {@link #burst} faults at once
 * @param applies of the measured job
 */
public record Size(
        String name, int nodes, int gpusPerNode, int jobs, int pods, int gpus, int faults, int bursts, int applies) {
    static final int SWITCHES = 16;
    static final int PORTS = 2;
    /** So often another replica leads. */
    static final int LEADER_CHANGES = 3;

    static Size named(String name) {
        return switch (name) {
            case "64" -> new Size(name, 64, 4, 8, 0, 64, 100, 5, 10);
            case "1000" -> new Size(name, 1000, 4, 100, 0, 1024, 100, 10, 20);
            case "4000" -> new Size(name, 4000, 8, 400, 0, 1024, 30, 5, 10);
            case "10000" -> new Size(name, 10_000, 4, 1000, 0, 1024, 30, 5, 10);
            case "16384" -> new Size(name, 16_384, 8, 1600, 0, 1024, 30, 5, 10);
            case "hostile", "searches" -> new Size(name, 256, 4, 16, 16, 64, 200, 0, 0);
            case "light" -> new Size(name, 400, 4, 0, 0, 1024, 8, 0, 0);
            case "both" -> new Size(name, 1024, 4, 10, 64, 1024, 0, 0, 10);
            default ->
                throw new IllegalArgumentException(
                        "allowed are 64, 1000, 4000, 10000, 16384 and both, by commas, not '" + name + "'");
        };
    }

    /** Which jobs and faults come is not this program's to say: the trace of faults is played on it. */
    public static Size soak(int nodes) {
        return new Size("soak", nodes, 4, 0, 0, 0, 0, 0, 0);
    }

    /** The same with a fifth of the repetitions, but three bursts: one of them alone says little. */
    Size quick() {
        return new Size(name, nodes, gpusPerNode, jobs, pods, gpus, faults / 5, Math.min(bursts, 3), applies / 5);
    }

    /**
     * Every tenth node is kept out of all plans until the jobs have their places: spares as an old cluster has them.
     */
    boolean isSpare(int node) {
        return pods == 0 && !isSoak() && node % 10 == 9;
    }

    /** Nodes that fail at once: as many as one power supply has, where there are jobs for them. */
    int burst() {
        return jobs < 200 ? 8 : 64;
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

    /** Whether long searches run beside the jobs on the ring. */
    boolean isSearches() {
        return name.equals("searches");
    }

    /** Whether it is measured how soon pods are told of light that changed. */
    boolean isLight() {
        return name.equals("light");
    }

    /** Whether hours or days pass in it, a thousand times as fast. */
    boolean isSoak() {
        return name.equals("soak");
    }

    int podGpus() {
        return nodes * gpusPerNode / pods;
    }

    /** GPUs of a group of four nodes. */
    int groupGpus() {
        return 4 * gpusPerNode;
    }

    /** Heap of the driver and of the emulator. */
    String hardwareHeap() {
        return nodes > 10_000 ? "-Xmx2500m" : "-Xmx1500m";
    }
}
