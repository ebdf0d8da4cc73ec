package dev.lightpath.reading.pod;

import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.job.WorkloadReference;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of objects whose pods may be a job's ({@code workload.ref}): how each is found, and what controls its pods.
 */
public enum WorkloadKind {
    JOB_SET("JobSet", "jobset.x-k8s.io/v1alpha2", "jobsets", "jobset.sigs.k8s.io/jobset-name"),
    JOB("Job", "batch/v1", "jobs", "batch.kubernetes.io/job-name"),
    /** It makes a JobSet of its own name. */
    TRAIN_JOB("TrainJob", "trainer.kubeflow.org/v1alpha1", "trainjobs", "jobset.sigs.k8s.io/jobset-name"),
    LEADER_WORKER_SET(
            "LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", "leaderworkersets", "leaderworkerset.sigs.k8s.io/name"),
    PYTORCH_JOB("PyTorchJob", "kubeflow.org/v1", "pytorchjobs", "training.kubeflow.org/job-name"),
    MPI_JOB("MPIJob", "kubeflow.org/v1", "mpijobs", "training.kubeflow.org/job-name"),
    RAY_CLUSTER("RayCluster", "ray.io/v1", "rayclusters", "ray.io/cluster"),
    /** No object: pods that carry the label of the job, whoever makes them. */
    PODS("Pod", "v1", "pods", LightpathLabels.JOB);

    private static final String OF_JOBS = "Job";
    private static final String OF_STATEFUL_SETS = "StatefulSet";

    private final String kind;
    private final String apiVersion;
    private final String plural;
    private final String label;

    WorkloadKind(String kind, String apiVersion, String plural, String label) {
        this.kind = kind;
        this.apiVersion = apiVersion;
        this.plural = plural;
        this.label = label;
    }

    /** Empty for a kind that nobody knows. Another version of an API has the same objects. */
    public static Optional<WorkloadKind> of(WorkloadReference reference) {
        return Arrays.stream(values())
                .filter(each ->
                        each.kind.equals(reference.kind()) && each.group().equals(group(reference.apiVersion())))
                .findFirst();
    }

    public String kind() {
        return kind;
    }

    public String apiVersion() {
        return apiVersion;
    }

    /** Blank for the core API. */
    public String group() {
        return group(apiVersion);
    }

    public String plural() {
        return plural;
    }

    /** On pods: the name of the object. */
    public String label() {
        return label;
    }

    /** Whether its pods are those of a JobSet. */
    public boolean hasJobSet() {
        return this == JOB_SET || this == TRAIN_JOB;
    }

    /**
     * Whether an object of this kind makes a pod.
     *
     * @param name of the object
     * @param pod what controls the pod
     * @param jobs what controls each Job that is known, by uid
     */
    boolean makes(String name, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        return switch (this) {
            case JOB_SET, TRAIN_JOB -> makesByJobSet(name, pod, jobs);
            case JOB, PYTORCH_JOB, MPI_JOB, RAY_CLUSTER -> isControlledBy(pod, kind, name);
            // one StatefulSet of its name for the leaders, and one for the workers of each group
            case LEADER_WORKER_SET ->
                pod.filter(controller -> controller.kind().equals(OF_STATEFUL_SETS)
                                && (controller.name().equals(name)
                                        || controller.name().startsWith(name + "-")
                                                && controller
                                                        .name()
                                                        .substring(name.length() + 1)
                                                        .matches("[0-9]+")))
                        .isPresent();
            // the job says that its label decides
            case PODS -> true;
        };
    }

    static boolean makesByJobSet(String set, Optional<Controller> pod, Map<String, Optional<Controller>> jobs) {
        return pod.filter(controller -> controller.kind().equals(OF_JOBS) && isOf(set, controller, jobs))
                .isPresent();
    }

    private static boolean isOf(String set, Controller pod, Map<String, Optional<Controller>> jobs) {
        @Nullable Optional<Controller> above = jobs.get(pod.uid());
        return above == null ? pod.name().startsWith(set + "-") : isControlledBy(above, JOB_SET.kind, set);
    }

    private static boolean isControlledBy(Optional<Controller> controller, String kind, String name) {
        return controller
                .filter(each -> each.kind().equals(kind) && each.name().equals(name))
                .isPresent();
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
