package dev.lightpath.planner.delta.iteration;

/**
 * Where the ranks of a trace live: rank r is GPU r, in pod r / gpusPerPod.
 *
 * @param gpusPerPod ranks that share a pod
 * @param pods pods that there are
 * @param portsPerPod optical ports the job may use in each pod (U)
 * @param circuitGbps speed of a circuit and of a GPU's card towards other pods, 10^9 bits per second
 * @param intraPodGbps speed of a GPU inside its pod, 10^9 bits per second
 */
public record RankPlacement(int gpusPerPod, int pods, int portsPerPod, double circuitGbps, double intraPodGbps) {
    /** @throws IllegalArgumentException naming the field and what is allowed */
    public RankPlacement {
        requireAbove(gpusPerPod, "gpusPerPod");
        requireAbove(pods, "pods");
        requireAbove(portsPerPod, "ports");
        requireAbove(circuitGbps, "circuitGbps");
        requireAbove(intraPodGbps, "intraPodGbps");
    }

    int podOf(int rank) {
        return rank / gpusPerPod;
    }

    /** Seconds that bytes of one GPU take inside a pod. */
    double seconds(double bytes) {
        return bytes * 8 / (intraPodGbps * 1e9);
    }

    private static void requireAbove(double value, String field) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + ": " + value + ", allowed: above 0");
        }
    }
}
