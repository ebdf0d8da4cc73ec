package dev.lightpath.app.kueue;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Names of Kueue's API. */
public final class Kueue {
    public static final String GROUP = "kueue.x-k8s.io";
    public static final String VERSION = "v1beta2";
    public static final String WORKLOAD = "Workload";

    /** {@code spec.controllerName} of an AdmissionCheck that the operator answers. */
    public static final String CONTROLLER = "lightpath.dev/light";

    /** {@code spec.managedBy} of a JobSet or Job that MultiKueue runs in another cluster. */
    public static final String MULTIKUEUE = "kueue.x-k8s.io/multikueue";

    /** On Workloads: the UID of the object whose pods wait. */
    static final String JOB_UID_LABEL = "kueue.x-k8s.io/job-uid";

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
}
