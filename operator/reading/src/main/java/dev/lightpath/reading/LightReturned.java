package dev.lightpath.reading;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a job's status says that its light goes back, though the job stays. */
public final class LightReturned {
    private static final Set<String> ENDINGS = Set.of(ConditionType.COMPLETE.word(), ConditionType.FAILED.word());

    /** Of a job that is not accepted. */
    private static final Set<String> RETURNS =
            Set.of(Reason.WAITING_FOR_QUOTA.word(), Reason.WORKLOAD_DELETED.word(), Reason.WORKLOAD_TAKEN.word());

    private LightReturned() {}

    /**
     * True of a job that is complete or failed, and of one whose workload waits for quota, was deleted or is another
     * job's.
     */
    public static boolean by(@Nullable TrainingJobStatus status) {
        return ending(status).isPresent()
                || status != null && status.conditions().stream().anyMatch(LightReturned::returns);
    }

    /** The condition that says how its workload ended: Complete or Failed. Empty while neither holds. */
    public static Optional<Condition> ending(@Nullable TrainingJobStatus status) {
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition ->
                                ENDINGS.contains(condition.getType()) && "True".equals(condition.getStatus()))
                        .findFirst();
    }

    private static boolean returns(Condition condition) {
        return ConditionType.ACCEPTED.word().equals(condition.getType())
                && "False".equals(condition.getStatus())
                && RETURNS.contains(condition.getReason());
    }
}
