package dev.lightpath.reading;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import org.jspecify.annotations.Nullable;

/** Whether a job's status says that its light goes back, though the job stays. */
public final class LightReturned {
    private LightReturned() {}

    /** True of a job that is complete or failed, and of one whose workload waits for quota. */
    public static boolean by(@Nullable TrainingJobStatus status) {
        return status != null && status.conditions().stream().anyMatch(LightReturned::says);
    }

    private static boolean says(Condition condition) {
        boolean ended = ConditionType.COMPLETE.word().equals(condition.getType())
                || ConditionType.FAILED.word().equals(condition.getType());
        boolean accepted = ConditionType.ACCEPTED.word().equals(condition.getType());
        return ended && "True".equals(condition.getStatus())
                || accepted
                        && "False".equals(condition.getStatus())
                        && Reason.WAITING_FOR_QUOTA.word().equals(condition.getReason());
    }
}
