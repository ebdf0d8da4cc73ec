package dev.lightpath.app.job.facts;

import dev.lightpath.reading.acceptance.JobQueue;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Names of the JobSet and Job APIs. */
public final class JobSets {
    public static final String GROUP = "jobset.x-k8s.io";
    public static final String VERSION = "v1alpha2";
    public static final String KIND = "JobSet";
    public static final String WORKERS = "workers";
    /** On pods: the JobSet. */
    public static final String NAME_LABEL = "jobset.sigs.k8s.io/jobset-name";
    /** On pods: the number of the Job in its JobSet. */
    public static final String GLOBAL_INDEX_LABEL = "jobset.sigs.k8s.io/job-global-index";
    /** On pods: the Job. */
    public static final String JOB_NAME_LABEL = "batch.kubernetes.io/job-name";
    /** On pods, label and annotation: the number of the pod in its Job. */
    public static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

    /** On workloads: the Kueue queue in which they wait for quota. */
    public static final String QUEUE_LABEL = JobQueue.LABEL;

    public static final ResourceDefinitionContext CONTEXT = new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion(VERSION)
            .withKind(KIND)
            .withPlural("jobsets")
            .withNamespaced(true)
            .build();

    private JobSets() {}
}
