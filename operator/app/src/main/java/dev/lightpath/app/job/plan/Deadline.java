package dev.lightpath.app.job.plan;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Until when a job may have nodes and circuits, by its {@code activeDeadlineSeconds}. */
public final class Deadline {
    private Deadline() {}

    /** Empty for a job that may have them any time, or that has no place. */
    private static Optional<Instant> of(TrainingJob job, @Nullable TrainingJobStatus status) {
        @Nullable Integer seconds = job.getSpec().activeDeadlineSeconds();
        if (seconds == null || status == null) {
            return Optional.empty();
        }
        return status.conditions().stream()
                .filter(condition ->
                        ConditionType.PLACED.word().equals(condition.getType()) && "True".equals(condition.getStatus()))
                .findFirst()
                .flatMap(Deadline::since)
                .map(since -> since.plusSeconds(seconds));
    }

    /** How long it may still have them, nothing if that is over; empty where that is any time, or it has none. */
    public static Optional<Duration> left(TrainingJob job, Instant now) {
        return left(job, job.getStatus(), now);
    }

    /** @param told the status that the job has by now */
    static Optional<Duration> left(TrainingJob job, @Nullable TrainingJobStatus told, Instant now) {
        return of(job, told).map(until -> {
            Duration left = Duration.between(now, until);
            return left.isNegative() ? Duration.ZERO : left;
        });
    }

    /** Since when a condition is as it is; empty where nobody can read that. */
    static Optional<Instant> since(Condition condition) {
        try {
            return Optional.ofNullable(condition.getLastTransitionTime()).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
