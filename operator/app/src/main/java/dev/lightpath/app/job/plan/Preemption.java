package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.job.TrainingJobStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job gives up its place for one of higher priority. What its status tells stays until all of that place is
 * gone.
 */
final class Preemption {
    private Preemption() {}

    /** The job that takes the place now; empty before, and once nothing of it is left. */
    static Optional<Preempted> underWay(JobFacts facts) {
        Optional<Preempted> told = told(facts)
                .filter(preempted -> facts.slices().stream().anyMatch(slice -> slice.attempt() <= preempted.attempt()));
        return told.or(() -> facts.current().stream()
                .filter(SliceFacts::placed)
                .flatMap(slice -> slice.preemptor().stream())
                .findFirst()
                .map(by -> new Preempted(by, facts.attempt())));
    }

    /** What the status tells of the last time. */
    static Optional<Preempted> told(JobFacts facts) {
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        return status == null ? Optional.empty() : Optional.ofNullable(status.preempted());
    }

    static String words(Preempted preempted) {
        boolean named = !preempted.by().equals(Preempted.BY_ANOTHER_NAMESPACE);
        return (named
                        ? "job " + preempted.by() + " of higher priority"
                        : "a job of higher priority in " + preempted.by())
                + " takes its place (policy.preemption of the fabric)";
    }
}
