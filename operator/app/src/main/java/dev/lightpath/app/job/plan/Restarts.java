package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.JobSetDraft;
import dev.lightpath.crds.job.TrainingJobStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often the pods of a job were started again since it got its place. Its JobSet counts that. A job that gets
 * another JobSet while it keeps its place takes the count along by its status, so that {@code maxRestarts} bounds all
 * of it.
 */
final class Restarts {
    private Restarts() {}

    /** What the status is to say. */
    static int of(JobFacts facts) {
        Optional<WorkloadFacts.Run> run = ownRun(facts);
        if (run.isPresent()) {
            return run.get().restarts();
        }
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        boolean keeps = !facts.slices().isEmpty() && Purpose.of(facts) instanceof Purpose.Serve
                || WorkloadFacts.Ending.told(status).isPresent();
        return keeps ? JobSetDraft.restarts(facts.job()) : 0;
    }

    /** Whether the status says what the JobSet counted, which goes with it. */
    static boolean areTold(JobFacts facts) {
        return ownRun(facts)
                .filter(run -> run.restarts() != JobSetDraft.restarts(facts.job()))
                .isEmpty();
    }

    private static Optional<WorkloadFacts.Run> ownRun(JobFacts facts) {
        return facts.workload() instanceof WorkloadFacts.Own own ? own.run() : Optional.empty();
    }
}
