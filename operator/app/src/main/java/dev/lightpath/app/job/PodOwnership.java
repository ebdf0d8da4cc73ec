package dev.lightpath.app.job;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.reading.Controller;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whose a pod is. Anybody may write a label; a pod of a job is controlled by a Job, and that by the job's JobSet, or it is
 * of the very workload that the job names. Pods of the JobSet that was made for a job are its pods also after the job names another
 * workload, as it may while it has no place.
 */
public final class PodOwnership {
    private static final String JOB = "Job";

    private PodOwnership() {}

    /**
     * Whether a pod that says it is of a job may be. A Job that is not among those known may be gone before its pods, or
     * not seen yet: its pods are taken at their word, so that no light goes dark under them, if its name is that of a Job of
     * the JobSet. Pods of a namesake that is gone, of whose end no watch told, are not of this job.
     *
     * @param pod what controls the pod
     * @param jobs what controls each Job that is known, by uid
     */
    public static boolean mayBe(TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        @Nullable Workload workload = job.getSpec().workload();
        if (workload == null) {
            // light only: the pods are somebody else's, and whose they are is between them
            return true;
        }
        return isProved(job, pod, jobs);
    }

    /**
     * Whether it is the workload of a job, or the JobSet that was made for it before it named none, that made a pod: what such a pod says of
     * its rank and attempt was written when it was let go. Who forges a Job that is not there forges in vain: its pods are collected.
     *
     * @param pod what controls the pod
     * @param jobs what controls each Job that is known, by uid
     */
    public static boolean isProved(TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        if (pod.filter(controller -> controller.kind().equals(JOB)).isEmpty()) {
            return false;
        }
        if (isMadeFor(job, pod, jobs)) {
            return true;
        }
        @Nullable Workload workload = job.getSpec().workload();
        @Nullable WorkloadReference reference = workload == null ? null : workload.ref();
        return reference != null
                && (reference.kind().equals(JOB)
                        ? pod.get().name().equals(reference.name())
                        : isOf(reference.name(), pod.get(), jobs));
    }

    /** Whether it is of the JobSet that was made for a job, whatever workload that names now. */
    static boolean isMadeFor(TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        String set = JobNames.jobSet(job);
        return pod.filter(controller -> controller.kind().equals(JOB) && isOf(set, controller, jobs))
                .isPresent();
    }

    private static boolean isOf(String set, Controller pod, Map<String, Optional<Controller>> jobs) {
        @Nullable Optional<Controller> above = jobs.get(pod.uid());
        return above == null
                ? pod.name().startsWith(set + "-")
                : above.filter(controller -> controller.kind().equals(JobSets.KIND)
                                && controller.name().equals(set))
                        .isPresent();
    }

    /** Whether a pod is of the JobSet that is made for the job: nobody else ever let it go. */
    public static boolean isMadeBy(TrainingJob job, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        @Nullable Workload workload = job.getSpec().workload();
        return workload != null && workload.ref() == null && mayBe(job, pod, jobs);
    }
}
