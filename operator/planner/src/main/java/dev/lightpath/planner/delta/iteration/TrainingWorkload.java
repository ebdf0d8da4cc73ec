package dev.lightpath.planner.delta.iteration;

/**
 * A model, its parallelism, batch and placement: everything that one iteration's traffic depends on (section V-A1).
 *
 * @param name for people
 */
public record TrainingWorkload(
        String name, ModelShape model, Parallelism parallelism, Batch batch, Placement placement) {

    /**
     * Bytes of one pipeline message of a whole stage, per micro-batch and direction: 2 B * mbs * seq * hidden * ranks.
     * Without sequence parallelism it is TP times that (V_m of Eq. 11). O(1).
     */
    public double pipelineBytes() {
        double bytes = 2.0
                * batch.microBatchSize()
                * batch.sequenceLength()
                * model.hiddenSize()
                * parallelism.dataRanksPerStage();
        return batch.sequenceParallel() ? bytes : bytes * parallelism.tensor();
    }

    /**
     * Bytes of a stage's gradient exchange that leave the pod by a ring all-reduce in fp32: 2 (R - 1) / R * parameters
     * of the stage
     * * 4 B (V_m of Eq. 11). O(1).
     */
    public double dataBytes() {
        double replicas = parallelism.replicas();
        return 2 * (replicas - 1) / replicas * (model.totalParameters() / parallelism.pipeline()) * 4;
    }

    /**
     * Seconds of a forward pass of one micro-batch through one stage; a backward pass takes twice as long. Operations
     * of all parameters a token meets and of causal attention, over the speed of the stage's GPUs. O(1).
     */
    public double forwardSeconds() {
        double ranks = parallelism.dataRanksPerStage();
        double length = batch.sequenceLength();
        double tokens = batch.microBatchSize() * length * ranks;
        double work = 2 * model.activeParameters() * tokens
                + model.attentionWidth() * length * length * batch.microBatchSize() * ranks;
        return work
                / ((double) parallelism.pipeline()
                        * parallelism.gpusPerStage()
                        * model.effectiveTeraflopsPerGpu()
                        * 1e12);
    }
}
