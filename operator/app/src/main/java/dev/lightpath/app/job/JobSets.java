package dev.lightpath.app.job;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Names of the JobSet and Job APIs. */
final class JobSets {
    static final String GROUP = "jobset.x-k8s.io";
    static final String VERSION = "v1alpha2";
    static final String KIND = "JobSet";
    static final String WORKERS = "workers";
    /** On pods: the JobSet. */
    static final String NAME_LABEL = "jobset.sigs.k8s.io/jobset-name";
    /** On pods: the number of the Job in its JobSet. */
    static final String GLOBAL_INDEX_LABEL = "jobset.sigs.k8s.io/job-global-index";
    /** On pods: the Job. */
    static final String JOB_NAME_LABEL = "batch.kubernetes.io/job-name";
    /** On pods, label and annotation: the number of the pod in its Job. */
    static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

    /** On workloads: the Kueue queue in which they wait for quota. */
    static final String QUEUE_LABEL = "kueue.x-k8s.io/queue-name";

    static final ResourceDefinitionContext CONTEXT = new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion(VERSION)
            .withKind(KIND)
            .withPlural("jobsets")
            .withNamespaced(true)
            .build();

    private JobSets() {}
}
