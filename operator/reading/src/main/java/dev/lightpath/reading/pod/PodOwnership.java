package dev.lightpath.reading.pod;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which job owns a pod. Every tenant may write a label, so the label is not enough. A pod of a job is
 * controlled by a Job, and that by the job's JobSet; or it is of the very workload that the job names ({@link
 * WorkloadKind}). Pods of the
 * JobSet that was made for a job stay its pods when the job names another workload, as it may while it has no place.
 */
public final class PodOwnership {
    private PodOwnership() {}

    /**
     * Whether a pod with a job's label may be the job's. A Job that is not known may be gone before its pods, or not
     * seen yet. Its pods count if its name is that of a Job of the JobSet, so that no circuit goes dark under them.
     * Pods of an earlier job of the same name, whose end no watch reported, are not of this job.
     *
     * @param pod what controls the pod
     * @param jobs what controls each Job that is known, by uid
     */
    public static boolean mayBe(TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        @Nullable Workload workload = job.getSpec().workload();
        if (workload == null) {
            // circuits only: the job has no pods, and the label decides
            return true;
        }
        return isProved(job, pod, jobs, true);
    }

    /**
     * Whether the workload of a job, or the JobSet that was made for it before it named none, provably made a pod. The
     * rank and attempt of such a pod were written when it was ungated. Forging a Job that does not exist is useless,
     * because its pods are collected.
     *
     * @param pod what controls the pod
     * @param jobs what controls each Job that is known, by uid
     * @param bound whether the pod is at its node. Of pods that anybody may make, one that is only pinned proves
     *     nothing: it may never start, and it costs whoever made it nothing
     */
    static boolean isProved(
            TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs, boolean bound) {
        if (isMadeFor(job, pod, jobs)) {
            return true;
        }
        @Nullable Workload workload = job.getSpec().workload();
        @Nullable WorkloadReference reference = workload == null ? null : workload.ref();
        return reference != null
                && WorkloadKind.of(reference)
                        .filter(kind -> (bound || kind != WorkloadKind.PODS) && kind.makes(reference.name(), pod, jobs))
                        .isPresent();
    }

    /** Whether it is of the JobSet that was made for a job, whatever workload that names now. */
    public static boolean isMadeFor(TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        return WorkloadKind.makesByJobSet(JobNames.jobSet(job), pod, jobs);
    }

    /** Whether a pod is of the JobSet that is made for the job: only the operator ever ungated it. */
    public static boolean isMadeBy(TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        @Nullable Workload workload = job.getSpec().workload();
        return workload != null && workload.ref() == null && mayBe(job, pod, jobs);
    }
}
