package dev.lightpath.app.job.plan;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How long a job stays after it ended, by its {@code ttlSecondsAfterFinished}. */
public final class Retention {
    private static final Set<String> ENDINGS = Set.of(ConditionType.COMPLETE.word(), ConditionType.FAILED.word());

    private Retention() {}

    /** Nothing if that is over; empty for a job that stays, that has not ended, or that is being deleted. */
    public static Optional<Duration> left(TrainingJob job, Instant now) {
        @Nullable Integer seconds = job.getSpec().ttlSecondsAfterFinished();
        @Nullable TrainingJobStatus status = job.getStatus();
        if (seconds == null || status == null || job.getMetadata().getDeletionTimestamp() != null) {
            return Optional.empty();
        }
        return status.conditions().stream()
                .filter(condition -> ENDINGS.contains(condition.getType()) && "True".equals(condition.getStatus()))
                .findFirst()
                .flatMap(Deadline::since)
                .map(ended -> Duration.between(now, ended.plusSeconds(seconds)))
                .map(left -> left.isNegative() ? Duration.ZERO : left);
    }
}
