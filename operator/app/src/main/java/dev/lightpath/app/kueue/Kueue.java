package dev.lightpath.app.kueue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names of Kueue's API. */
public final class Kueue {
    public static final String GROUP = "kueue.x-k8s.io";
    public static final String VERSION = "v1beta2";
    public static final String WORKLOAD = "Workload";

    /** {@code spec.controllerName} of an AdmissionCheck that the operator answers. */
    public static final String CONTROLLER = "lightpath.dev/light";

    /** {@code spec.managedBy} of a JobSet or Job that MultiKueue runs in another cluster. */
    public static final String MULTIKUEUE = "kueue.x-k8s.io/multikueue";

    /** On what waits in a queue: a WorkloadPriorityClass, by which it waits instead of by the class of its pods. */
    public static final String PRIORITY_LABEL = GROUP + "/priority-class";

    /** On Workloads: the UID of the object whose pods wait. */
    static final String JOB_UID_LABEL = "kueue.x-k8s.io/job-uid";

    /** On pods that Kueue admits one by one or as a group: the scheduling gate behind which they wait for quota. */
    private static final String ADMISSION_GATE = "kueue.x-k8s.io/admission";

    /** On pods and pod templates that Kueue admits as those of an object, as of a LeaderWorkerSet: its framework. */
    private static final String PARENT_ANNOTATION = "kueue.x-k8s.io/pod-suspending-parent";

    /** An annotation of pods, and a label where they have none. */
    private static final String GROUP_NAME = "kueue.x-k8s.io/pod-group-name";

    /** On pods that have no such object. */
    private static final String MANAGED_LABEL = "kueue.x-k8s.io/managed";

    static final ResourceDefinitionContext WORKLOADS = new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion(VERSION)
            .withKind(WORKLOAD)
            .withPlural("workloads")
            .withNamespaced(true)
            .build();

    static final ResourceDefinitionContext CHECKS = new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion(VERSION)
            .withKind("AdmissionCheck")
            .withPlural("admissionchecks")
            .withNamespaced(false)
            .build();

    private Kueue() {}

    /** Whether pods of this template wait for quota, each behind a gate of Kueue. */
    public static boolean holdsPods(JsonNode template) {
        return template.path("metadata").path("annotations").has(PARENT_ANNOTATION);
    }

    /** Whether Kueue admits a pod, by itself or in its group. */
    public static boolean holds(Pod pod) {
        @Nullable Map<String, String> labels = pod.getMetadata().getLabels();
        return labels != null && "true".equals(labels.get(MANAGED_LABEL));
    }

    /** The group in which Kueue admits a pod, which is the name of its Workload. */
    public static Optional<String> group(Pod pod) {
        return Stream.of(pod.getMetadata().getAnnotations(), pod.getMetadata().getLabels())
                .flatMap(Stream::ofNullable)
                .flatMap(words -> Stream.ofNullable(words.get(GROUP_NAME)))
                .filter(group -> !group.isEmpty())
                .findFirst();
    }

    /** Whether a pod waits for its quota. */
    public static boolean isGated(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream().anyMatch(gate -> ADMISSION_GATE.equals(gate.getName()));
    }
}
