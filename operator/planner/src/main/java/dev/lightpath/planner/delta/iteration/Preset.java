package dev.lightpath.planner.delta.iteration;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The paper's workloads: GPT-7B of Fig. 1 and Table I. Shapes are public, speeds are delta-paper calibrations. */
public enum Preset {
    GPT_7B("gpt-7b", ModelShape.dense(36, 4096, 32, 50257, 400), new Parallelism(2, 4, 1, 1, 1, 2), 4),
    MEGATRON_177B(
            "megatron-177b", ModelShape.dense(96, 12288, 96, 131072, 432.8), new Parallelism(8, 6, 1, 1, 1, 8), 16),
    MIXTRAL_8X22B("mixtral-8x22b", mixtral(), new Parallelism(2, 8, 1, 8, 1, 2), 16),
    MEGATRON_462B(
            "megatron-462b", ModelShape.dense(112, 18432, 144, 131072, 459.9), new Parallelism(8, 16, 1, 1, 1, 8), 32),
    DEEPSEEK_671B(
            "deepseek-671b",
            new ModelShape(61, 7168, 128, 192, 128, 671e9, 36.6e9, 400),
            new Parallelism(2, 16, 1, 8, 1, 2),
            32);

    private final String label;
    private final ModelShape model;
    private final Parallelism parallelism;
    private final int gpusPerPodPerReplica;

    Preset(String label, ModelShape model, Parallelism parallelism, int gpusPerPodPerReplica) {
        this.label = label;
        this.model = model;
        this.parallelism = parallelism;
        this.gpusPerPodPerReplica = gpusPerPodPerReplica;
    }

    /**
     * The preset of a name such as {@code megatron-177b} (Table I). O(1).
     *
     * @throws IllegalArgumentException naming those there are
     */
    public static Preset named(String label) {
        return Arrays.stream(values())
                .filter(preset -> preset.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("preset: " + label + ", allowed: "
                        + Arrays.stream(values()).map(Preset::label).collect(Collectors.joining(" "))));
    }

    public String label() {
        return label;
    }

    public ModelShape model() {
        return model;
    }

    /**
     * The workload at the paper's settings (Table I): sequence length 4096, 400 Gb/s, 8 micro-batches per stage. O(1).
     */
    public TrainingWorkload workload() {
        return workload(400, microBatches(), 4096, false);
    }

    /**
     * The workload at other settings (sections V-B to V-E). O(1).
     *
     * @param circuitGbps 10^9 bits per second
     * @param microBatches per replica and iteration, 1 or more
     * @param sequenceLength tokens, 1 or more
     * @param reversed whether the last stages sit in pod 0 (Model^T of section V-D)
     * @throws IllegalArgumentException naming the field and what is allowed
     */
    public TrainingWorkload workload(double circuitGbps, int microBatches, int sequenceLength, boolean reversed) {
        Placement filled = Placement.filling(gpusPerPodPerReplica, parallelism, gpusPerPodPerReplica, circuitGbps);
        return new TrainingWorkload(
                label,
                model,
                parallelism,
                new Batch(microBatches, 1, sequenceLength, true),
                new Placement(filled.stagesPerPod(), filled.portsPerPod(), circuitGbps, reversed));
    }

    /** Micro-batches per replica and iteration of Table I: 8 per stage. O(1). */
    public int microBatches() {
        return 8 * parallelism.pipeline();
    }

    private static ModelShape mixtral() {
        double layers = 56;
        double h = 6144;
        double f = 16384;
        double vocabulary = 32768 * h;
        double attention = 2 * h * h + 2 * h * 1024;
        double total = layers * (attention + 8 * 3 * h * f + 8 * h) + 2 * vocabulary;
        double active = layers * (attention + 2 * 3 * h * f + 8 * h) + vocabulary;
        return new ModelShape(56, 6144, 48, 128, 128, total, active, 400);
    }
}
