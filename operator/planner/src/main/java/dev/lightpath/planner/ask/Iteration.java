package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.ModelShape;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.TracedIteration;
import java.util.Optional;

/** What one iteration of a job computes and sends, from any source. */
public sealed interface Iteration {
    /**
     * Forward passes of all stages: the limit for an operator with 512 MiB, which searches two or more at a time and
     * simulates within its passes (ADR 73). It is four times the paper's largest.
     */
    int MOST_PASSES_PLANNED = 1 << 15;

    /**
     * Why an operator does not plan the circuits of this iteration, with what is allowed; empty if it does. Recorded
     * steps are counted when they are read. O(1).
     *
     * @param parallelism whose stages each do every micro-batch
     */
    default Optional<String> tooLong(Parallelism parallelism) {
        return switch (this) {
            case OfModel of ->
                tooMany(
                        "spec.microBatches (8 per stage unless written)",
                        of.batch().microBatches(),
                        parallelism);
            case OfProfile of -> tooMany("ga of the recorded workload", of.microBatches(), parallelism);
            case OfTrace of -> Optional.empty();
        };
    }

    private static Optional<String> tooMany(String name, int microBatches, Parallelism parallelism) {
        return InstanceGenerator.tooMany(name, microBatches, parallelism.pipeline(), MOST_PASSES_PLANNED);
    }

    /** The shape of its model. */
    record OfModel(ModelShape model, Batch batch) implements Iteration {}

    /**
     * A recorded workload whose stages are all alike; seconds and bytes of a whole stage.
     *
     * @param forwardSeconds of one micro-batch through one stage
     * @param pipelineBytes to the next stage, per micro-batch and direction
     * @param dataBytes of gradients that leave the pod, once an iteration
     */
    record OfProfile(
            int microBatches, double forwardSeconds, double backwardSeconds, double pipelineBytes, double dataBytes)
            implements Iteration {}

    /** Recorded steps of all ranks, put into pods. */
    record OfTrace(TracedIteration trace) implements Iteration {}
}
