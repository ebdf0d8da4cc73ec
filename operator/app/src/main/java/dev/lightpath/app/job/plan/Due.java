package dev.lightpath.app.job.plan;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** When a job has to be looked at because of a time that it names. */
public final class Due {
    private Due() {}

    /**
     * Until its deadline or the end of its retention, where that comes before it would be looked at anyway. Both begin
     * with what its status tells, so a job of which the first words tell its place counts from there.
     *
     * @param told its status by now
     * @param usual when it would be looked at
     */
    public static Duration in(TrainingJob job, TrainingJobStatus told, Instant now, Duration usual) {
        return Stream.of(Deadline.left(job, told, now), Retention.left(job, told, now))
                .flatMap(Optional::stream)
                .filter(left -> left.isPositive() && left.compareTo(usual) < 0)
                .min(Duration::compareTo)
                .orElse(usual);
    }
}
