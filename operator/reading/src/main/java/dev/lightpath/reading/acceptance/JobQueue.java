package dev.lightpath.reading.acceptance;

import dev.lightpath.crds.job.TrainingJob;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queue in which the pods of a job wait for quota. */
public final class JobQueue {
    public static final String LABEL = "kueue.x-k8s.io/queue-name";

    private JobQueue() {}

    /** Empty when they wait in none. */
    public static Optional<String> of(TrainingJob job) {
        @Nullable Map<String, String> labels = job.getMetadata().getLabels();
        return labels == null
                ? Optional.empty()
                : Optional.ofNullable(labels.get(LABEL)).filter(queue -> !queue.isBlank());
    }
}
