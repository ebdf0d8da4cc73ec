package dev.lightpath.app.job.plan;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.reading.LightReturned;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long a job stays after it ended, by its {@code ttlSecondsAfterFinished}. */
public final class Retention {
    private Retention() {}

    /** Nothing if that is over; empty for a job that stays, that has not ended, or that is being deleted. */
    public static Optional<Duration> left(TrainingJob job, Instant now) {
        return left(job, job.getStatus(), now);
    }

    /** @param told the status that the job has by now */
    static Optional<Duration> left(TrainingJob job, @Nullable TrainingJobStatus told, Instant now) {
        @Nullable Integer seconds = job.getSpec().ttlSecondsAfterFinished();
        if (seconds == null || job.getMetadata().getDeletionTimestamp() != null) {
            return Optional.empty();
        }
        return LightReturned.ending(told)
                .flatMap(Deadline::since)
                .map(ended -> Duration.between(now, ended.plusSeconds(seconds)))
                .map(left -> left.isNegative() ? Duration.ZERO : left);
    }
}
