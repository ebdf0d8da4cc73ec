package dev.lightpath.app.job;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.reading.pod.WorkloadKind;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which of several TrainingJobs that refer to one workload it belongs to: one that has its place, else one that has
 * slices, else the oldest, by name where they are equally old. Age is told in seconds: one that comes a moment later
 * takes nothing from one that is served. Slices are there before the first status is: {@link StartPause} delays that.
 */
final class ReferenceHolder {
    private ReferenceHolder() {}

    /**
     * The name of the job before it that refers to the same workload.
     *
     * @param namespace all jobs of its namespace
     * @param hasSlices whether slices were made for a job, and are not to go
     */
    static Optional<String> of(TrainingJob job, Stream<TrainingJob> namespace, Predicate<TrainingJob> hasSlices) {
        @Nullable WorkloadReference reference = reference(job);
        if (reference == null) {
            return Optional.empty();
        }
        Comparator<TrainingJob> byRight = byRight(hasSlices);
        String name = job.getMetadata().getName();
        return namespace
                .filter(other -> !other.getMetadata().getName().equals(name)
                        && isSame(reference, reference(other))
                        && byRight.compare(other, job) < 0)
                .min(byRight)
                .map(first -> first.getMetadata().getName());
    }

    /**
     * Attempts do not count: they were perhaps for another workload. The workload of a job that has its place cannot be
     * changed.
     */
    private static Comparator<TrainingJob> byRight(Predicate<TrainingJob> hasSlices) {
        return Comparator.<TrainingJob, Boolean>comparing(job -> !isPlaced(job))
                .thenComparing(job -> !hasSlices.test(job))
                .thenComparing(job -> job.getMetadata().getCreationTimestamp())
                .thenComparing(job -> job.getMetadata().getName());
    }

    private static boolean isPlaced(TrainingJob job) {
        return job.getStatus() != null && Conditions.isTrue(job.getStatus().conditions(), ConditionType.PLACED);
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
