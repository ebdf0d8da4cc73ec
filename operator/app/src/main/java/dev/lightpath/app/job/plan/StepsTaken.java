package dev.lightpath.app.job.plan;

import dev.lightpath.crds.job.TrainingJob;
import java.util.List;
import java.util.Optional;

/**
 * What came of the steps of a plan.
 *
 * @param job as the API server has it after them
 * @param done those that were taken
 * @param current false when the API server had something newer, so that all is to be read and planned again
 * @param refusal why the step after those was not taken, nor any after it
 */
public record StepsTaken(TrainingJob job, List<JobStep> done, boolean current, Optional<Refusal> refusal) {
    public StepsTaken {
        done = List.copyOf(done);
    }

    /**
     * An object that the API server refuses to make, or the job, which it refuses to delete: a quota is full, a webhook or
     * a policy refuses, or its namespace is being deleted.
     *
     * @param step that was to make or delete it
     * @param words of the refusal
     * @param namespaceGoes whether nothing can be made beside the job any more
     */
    public record Refusal(JobStep step, String words, boolean namespaceGoes) {}
}
