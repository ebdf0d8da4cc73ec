package dev.lightpath.planner.delta.iteration;

/**
 * What one iteration processes (section V-A1, Table I).
 *
 * @param microBatches per replica and iteration (M)
 * @param microBatchSize sequences per micro-batch and data-parallel rank
 * @param sequenceLength tokens of a sequence
 * @param sequenceParallel whether stages exchange each activation once instead of once per tensor-parallel rank
 */
public record Batch(int microBatches, int microBatchSize, int sequenceLength, boolean sequenceParallel) {
    /** @throws IllegalArgumentException naming the field and what is allowed */
    public Batch {
        require(microBatches, "microBatches");
        require(microBatchSize, "microBatchSize");
        require(sequenceLength, "sequenceLength");
    }

    private static void require(int value, String field) {
        if (value < 1) {
            throw new IllegalArgumentException(field + ": " + value + ", allowed: 1 or more");
        }
    }
}
