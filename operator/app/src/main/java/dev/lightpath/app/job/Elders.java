package dev.lightpath.app.job;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.reading.pod.WorkloadKind;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which of several TrainingJobs that refer to one workload it belongs to: one that had light, else the oldest, by name where they are
 * equally old. Age is told in seconds: one that comes a moment later takes nothing from one that is served.
 */
final class Elders {
    private static final Comparator<TrainingJob> BY_RIGHT = Comparator.<TrainingJob, Boolean>comparing(
                    job -> job.getStatus() == null || job.getStatus().attempt() == null)
            .thenComparing(job -> job.getMetadata().getCreationTimestamp())
            .thenComparing(job -> job.getMetadata().getName());

    private Elders() {}

    /**
     * The name of the job before it that refers to the same workload.
     *
     * @param namespace all jobs of its namespace
     */
    static Optional<String> of(TrainingJob job, Stream<TrainingJob> namespace) {
        @Nullable WorkloadReference reference = reference(job);
        if (reference == null) {
            return Optional.empty();
        }
        return namespace
                .filter(other -> isSame(reference, reference(other)) && BY_RIGHT.compare(other, job) < 0)
                .min(BY_RIGHT)
                .map(first -> first.getMetadata().getName());
    }

    private static @Nullable WorkloadReference reference(TrainingJob job) {
        @Nullable Workload workload = job.getSpec().workload();
        return workload == null ? null : workload.ref();
    }

    private static boolean isSame(WorkloadReference one, @Nullable WorkloadReference other) {
        return other != null && makes(one).equals(makes(other)) && one.name().equals(other.name());
    }

    /** The kind that makes the pods: a TrainJob has a JobSet of its name do it. */
    private static String makes(WorkloadReference reference) {
        return WorkloadKind.of(reference).filter(WorkloadKind::hasJobSet).isPresent()
                ? WorkloadKind.JOB_SET.kind()
                : reference.kind();
    }
}
