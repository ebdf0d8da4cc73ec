package dev.lightpath.planner.delta.iteration;

/**
 * What one iteration of one replica takes and sends, wherever that was learnt from: a model's shape
 * ({@link TrainingWorkload}) or a recorded workload. Every stage computes and sends the same.
 *
 * @param name for people
 * @param stages pipeline stages (PP)
 * @param gpusPerStage GPUs of one stage of one replica (Gs), all in one pod
 * @param replicas copies of the whole model (R)
 * @param microBatches forward passes of a stage in an iteration
 * @param forwardSeconds of one micro-batch through one stage, collectives inside its pod included
 * @param backwardSeconds likewise
 * @param pipelineBytes of a whole stage's message to the next, per micro-batch and direction
 * @param dataBytes of a whole stage's exchange of gradients that leave its pod, once an iteration
 * @param placement of the stages
 */
public record IterationProfile(
        String name,
        int stages,
        int gpusPerStage,
        int replicas,
        int microBatches,
        double forwardSeconds,
        double backwardSeconds,
        double pipelineBytes,
        double dataBytes,
        Placement placement) {
    /** @throws IllegalArgumentException naming the field and what is allowed */
    public IterationProfile {
        requireCount(stages, "stages");
        requireCount(gpusPerStage, "gpusPerStage");
        requireCount(replicas, "replicas");
        requireCount(microBatches, "microBatches");
        requireAmount(forwardSeconds, "forwardSeconds");
        requireAmount(backwardSeconds, "backwardSeconds");
        requireAmount(pipelineBytes, "pipelineBytes");
        requireAmount(dataBytes, "dataBytes");
        if (gpusPerStage > Parallelism.MOST_GPUS / stages) {
            throw new IllegalArgumentException("stages: " + stages + " of " + gpusPerStage + " GPUs, allowed: at most "
                    + Parallelism.MOST_GPUS + " GPUs per replica");
        }
    }

    /**
     * The iteration of a workload known by its model's shape (section V-A1); backward takes twice as long as forward.
     * O(1).
     */
    public static IterationProfile of(TrainingWorkload workload) {
        return new IterationProfile(
                workload.name(),
                workload.parallelism().pipeline(),
                workload.parallelism().gpusPerStage(),
                workload.parallelism().replicas(),
                workload.batch().microBatches(),
                workload.forwardSeconds(),
                2 * workload.forwardSeconds(),
                workload.pipelineBytes(),
                workload.dataBytes(),
                workload.placement());
    }

    private static void requireCount(int value, String field) {
        if (value < 1) {
            throw new IllegalArgumentException(field + ": " + value + ", allowed: 1 or more");
        }
    }

    private static void requireAmount(double value, String field) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + ": " + value + ", allowed: a finite number, 0 or more");
        }
    }
}
