package dev.lightpath.app.job.plan;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.LightRequest;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.TemplateProblem;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Placements of the whole job, counted from 1: which one counts, and when another is due. */
final class Attempt {
    private Attempt() {}

    /** The attempt that its status names, 0 before the first. */
    static int recorded(JobFacts facts) {
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        return status == null || status.attempt() == null ? 0 : status.attempt();
    }

    /**
     * The attempt that counts once these steps are taken: a later one than that of the slices where they are given up.
     */
    static int newest(JobFacts facts, Purpose purpose, List<JobStep> steps) {
        int attempt = Math.max(facts.attempt(), recorded(facts));
        for (JobStep step : steps) {
            if (step instanceof JobStep.CreateSlice create) {
                attempt = Math.max(attempt, create.attempt());
            }
        }
        List<LightRequest> requests = facts.requests();
        // what is given back is not placed anew: what changes meanwhile counts from the attempt that comes after
        boolean served =
                purpose instanceof Purpose.Serve serve && serve.refusal().isEmpty();
        boolean outdated = !requests.isEmpty()
                && purpose instanceof Purpose.Serve
                && attempt > 0
                && attempt == facts.attempt()
                && (isHalfLetGo(facts)
                        || isHeldForNothing(facts)
                        || served
                                && (!serves(facts, requests)
                                        || facts.current().stream().anyMatch(SliceFacts::asksForAnotherPlace)));
        return outdated ? attempt + 1 : attempt;
    }

    /**
     * Its template was changed to one that is refused before it had the place; once it is told, the template cannot be
     * changed back.
     */
    private static boolean isHeldForNothing(JobFacts facts) {
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        boolean told = status != null && Conditions.isTrue(status.conditions(), ConditionType.PLACED);
        return !told
                && facts.workload() instanceof WorkloadFacts.Own own
                && own.problem().filter(TemplateProblem::mendable).isPresent()
                && own.pods().stream().noneMatch(PodFacts::usesLight)
                && facts.current().stream().anyMatch(SliceFacts::placed);
    }

    /** Circuits are not chosen anew for groups that stay. */
    private static boolean isHalfLetGo(JobFacts facts) {
        return facts.current().size() > 1 && facts.current().stream().anyMatch(SliceFacts::forceRelease);
    }

    /** What was recorded keeps its place, whatever its conditions say: what the API server lets be changed waits. */
    static boolean serves(JobFacts facts, List<LightRequest> requests) {
        return facts.current().stream().allMatch(slice -> {
            LightRequest served = slice.request();
            return requests.contains(served)
                    || slice.allocation().isPresent() && requests.stream().anyMatch(served::isOfTheSameJob);
        });
    }
}
