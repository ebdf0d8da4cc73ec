package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.Batch;
import dev.lightpath.planner.delta.ModelShape;
import dev.lightpath.planner.delta.TracedIteration;

/** What one iteration of a job computes and sends, from wherever that is known. */
public sealed interface Iteration {

    /** The shape of its model. */
    record OfModel(ModelShape model, Batch batch) implements Iteration {}

    /**
     * A recorded workload of which every stage is alike; seconds and bytes of a whole stage.
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
