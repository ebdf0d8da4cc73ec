package dev.lightpath.studies.evaluation;

/**
 * A transformer and the hardware it trains on, as far as model FLOPs utilisation needs them.
 *
 * @param layers transformer layers
 * @param hiddenSize h
 * @param activeParametersPerLayer parameters a token meets in a mean layer
 * @param totalParameters all parameters
 * @param sequenceLength tokens
 * @param globalBatch sequences per step
 * @param virtualStages interleaving of the pipeline
 * @param gemmRows rows of the mean matrix product of one micro-batch of one sequence; short ones run less efficiently
 * @param moeLayers layers with experts
 * @param topExperts experts a token meets
 * @param expertShare part of the operations that experts do
 */
public record TrainingModel(
        int layers,
        int hiddenSize,
        double activeParametersPerLayer,
        double totalParameters,
        int sequenceLength,
        int globalBatch,
        int virtualStages,
        double gemmRows,
        int moeLayers,
        int topExperts,
        double expertShare) {

    static final double PEAK_FLOPS_PER_SECOND = 989e12;
    static final double HBD_BYTES_PER_SECOND = 800e9 * 0.7711;
    static final double DCN_BYTES_PER_SECOND = 50e9;
    static final double BEST_GEMM_EFFICIENCY = 0.65;
    static final double GEMM_HALF_ROWS = 200;
    static final double MEMORY_BYTES = 80.0 * (1L << 30);
    static final double GRADIENT_BYTES = 4;
    static final double WIRE_BYTES = 2;

    /** Llama 3.1 405B with plain multi-head attention, as the paper simplifies it. */
    public static TrainingModel llama405b() {
        double perLayer = 405e9 / 126;
        return new TrainingModel(126, 16_384, perLayer, 405e9, 8192, 2048, 1, 8192, 0, 0, 0);
    }

    /** GPT-MoE of appendix B: every second layer has 8 experts of which a token meets 2. */
    public static TrainingModel gptMoe() {
        double h2 = 12_288.0 * 12_288.0;
        return new TrainingModel(
                192, 12_288, (12 * h2 + 20 * h2) / 2, 96 * (12 + 68) * h2, 2048, 1536, 3, 512, 96, 2, 0.5);
    }

    /** Floating-point operations of one sequence, forward and backward, without recomputation. */
    public double flopsPerSequence() {
        double attention = 12.0 * sequenceLength * (double) sequenceLength * hiddenSize;
        return layers * (6 * activeParametersPerLayer * sequenceLength + attention);
    }

    /**
     * MFU of one division of the GPUs.
     *
     * <p>Assumes: reductions of tensor parallelism are not hidden (four per layer, over the ring's measured
     * utilisation); gradients are reduced in bf16 over the data-centre network after the step; a pipeline bubble of
     * (stages - 1) / virtual stages; cheap activations recomputed (24 of 34 bytes kept).
     *
     * @param tensor GPUs of a tensor-parallel group
     * @param data replicas
     * @param pipeline stages
     * @param expert how many parts of the group hold whole experts and exchange tokens (1: experts are cut by tensor)
     * @param imbalance (max - min) / max of tokens per expert; tokens are taken as spread evenly between the two
     * @return 0 if the division does not fit in memory or does not divide the batch
     */
    public double mfu(int tensor, int data, int pipeline, int expert, double imbalance) {
        if (globalBatch % data != 0 || memory(tensor, data, pipeline) > MEMORY_BYTES) {
            return 0;
        }
        double microBatches = (double) globalBatch / data;
        double efficiency = BEST_GEMM_EFFICIENCY * gemmRows / (gemmRows + GEMM_HALF_ROWS);
        double compute = flopsPerSequence() / pipeline / tensor / (PEAK_FLOPS_PER_SECOND * efficiency);
        if (expert > 1) {
            compute *= 1 + expertShare * (1 / (1 - imbalance / 2) - 1);
        }
        double activation = 2.0 * sequenceLength * hiddenSize;
        double reductions = 4.0 * layers;
        if (expert > 1) {
            reductions -= 2.0 * moeLayers * (1 - (double) topExperts / expert);
        }
        double reduce = reductions / pipeline * 2 * (tensor - 1.0) / tensor * activation / HBD_BYTES_PER_SECOND;
        double stage = compute + reduce;
        double bubble = (pipeline - 1.0) * stage / virtualStages;
        double gradients = 2
                * (data - 1.0)
                / data
                * totalParameters
                * WIRE_BYTES
                / ((double) tensor * pipeline)
                / DCN_BYTES_PER_SECOND;
        double step = microBatches * stage + bubble + gradients;
        double gpus = (double) tensor * data * pipeline;
        return globalBatch * flopsPerSequence() / (step * gpus * PEAK_FLOPS_PER_SECOND);
    }

    /**
     * Weights in bf16, gradients in fp32, optimizer state spread over the replicas, activations of the stages in
     * flight.
     */
    private double memory(int tensor, int data, int pipeline) {
        double shard = totalParameters / ((double) tensor * pipeline);
        double activations = 24.0 * sequenceLength * hiddenSize * layers / tensor;
        return shard * (2 + GRADIENT_BYTES + 12.0 / data) + activations;
    }

    /**
     * A division of the GPUs and its MFU.
     *
     * @param mfu 0 if none fits
     */
    public record Division(int tensor, int data, int pipeline, double mfu) {}

    /**
     * The best division with tensor up to a limit, data up to 1024, pipeline up to 16, all powers of two.
     */
    public Division best(int gpus, int mostTensor) {
        Division best = new Division(1, 1, 1, 0);
        for (int tensor = 1; tensor <= mostTensor; tensor *= 2) {
            for (int pipeline = 1; pipeline <= 16; pipeline *= 2) {
                int data = gpus / (tensor * pipeline);
                if (data < 1 || data > 1024 || tensor * pipeline * data != gpus) {
                    continue;
                }
                double mfu = mfu(tensor, data, pipeline, 1, 0);
                if (mfu > best.mfu()) {
                    best = new Division(tensor, data, pipeline, mfu);
                }
            }
        }
        return best;
    }
}
