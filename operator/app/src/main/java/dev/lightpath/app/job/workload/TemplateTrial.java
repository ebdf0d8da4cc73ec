package dev.lightpath.app.job.workload;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When the API server is asked whether it would take what a job's template makes. */
public final class TemplateTrial {
    private TemplateTrial() {}

    /**
     * Due before a place is requested, again when there is one, and in between once for each change of the job, because
     * the job waits for long and is reconciled often.
     */
    public static boolean isDue(TrainingJob job, List<SliceFacts> slices) {
        @Nullable TrainingJobStatus told = job.getStatus();
        return slices.isEmpty()
                || slices.stream().allMatch(SliceFacts::placed)
                || told == null
                || !Objects.equals(told.observedGeneration(), job.getMetadata().getGeneration())
                || !Conditions.isTrue(told.conditions(), ConditionType.ACCEPTED);
    }
}
