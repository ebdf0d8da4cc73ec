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
 * @param refusal why a step was not taken. If it was to make something, or to delete the job, none after it was
 */
public record StepsTaken(TrainingJob job, List<JobStep> done, boolean current, Optional<Refusal> refusal) {
    public StepsTaken {
        done = List.copyOf(done);
    }

    /**
     * What the API server refuses: to make an object, to delete the job, a JobSet or a pod, to let a pod go, or to tell
     * it of its light. A quota is full, a webhook or a policy refuses, or the namespace is being deleted.
     *
     * @param step the first that is refused
     * @param words of the refusal
     * @param namespaceGoes whether nothing can be made beside the job any more
     */
    public record Refusal(JobStep step, String words, boolean namespaceGoes) {}
}
