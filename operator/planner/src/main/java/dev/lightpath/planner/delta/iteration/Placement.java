package dev.lightpath.planner.delta.iteration;

/**
 * The pods of a replica's stages (section V-A1).
 *
 * @param stagesPerPod consecutive stages that share a pod
 * @param portsPerPod optical ports the job may use in each pod (U)
 * @param circuitGbps speed of a circuit and of a GPU's card, 10^9 bits per second
 * @param reversed whether the last stages are in pod 0 (the transposed twin of section V-D)
 */
public record Placement(int stagesPerPod, int portsPerPod, double circuitGbps, boolean reversed) {
    /** @throws IllegalArgumentException naming the field and what is allowed */
    public Placement {
        if (stagesPerPod < 1) {
            throw new IllegalArgumentException("stagesPerPod: " + stagesPerPod + ", allowed: 1 or more");
        }
        if (portsPerPod < 1) {
            throw new IllegalArgumentException("ports: " + portsPerPod + ", allowed: 1 or more");
        }
        if (!(circuitGbps > 0) || Double.isInfinite(circuitGbps)) {
            throw new IllegalArgumentException("circuitGbps: " + circuitGbps + ", allowed: above 0");
        }
    }

    /**
     * As many stages in a pod as its GPUs hold; O(1).
     *
     * @param gpusPerPodPerReplica GPUs of a pod that one replica may use
     * @param portsPerPod optical ports the job may use in each pod (U)
     * @param circuitGbps 10^9 bits per second
     * @throws IllegalArgumentException when not even one stage fits, or naming the field and what is allowed
     */
    public static Placement filling(
            int gpusPerPodPerReplica, Parallelism parallelism, int portsPerPod, double circuitGbps) {
        if (gpusPerPodPerReplica < parallelism.gpusPerStage()) {
            throw new IllegalArgumentException("GPUs per pod: " + gpusPerPodPerReplica + ", allowed: at least "
                    + parallelism.gpusPerStage() + ", the GPUs of one stage");
        }
        return new Placement(gpusPerPodPerReplica / parallelism.gpusPerStage(), portsPerPod, circuitGbps, false);
    }

    /** The pod of a stage; both counted from 0. */
    int podOf(int stage, int stages) {
        int pod = stage / stagesPerPod;
        return reversed ? pods(stages) - 1 - pod : pod;
    }

    /**
     * Pods that one replica of so many pipeline stages occupies (k, section V-A1): ceil(stages / stagesPerPod). O(1).
     */
    public int pods(int stages) {
        return (stages + stagesPerPod - 1) / stagesPerPod;
    }
}
