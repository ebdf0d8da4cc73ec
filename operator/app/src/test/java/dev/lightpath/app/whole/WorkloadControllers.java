package dev.lightpath.app.whole;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What JobSet's controller, the Job controller, the garbage collector, the scheduler and kubelets would do with JobSets
 * of one Indexed Job, whenever {@link #work} is called; never by way of a tap.
 */
final class WorkloadControllers {
    private static final String SPACE = "default";
    private static final Path DEFINITION =
            Path.of("manifests", "jobset", "components", "crd", "bases", "jobset.x-k8s.io_jobsets.yaml");
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final ResourceDefinitionContext JOB_SETS = new ResourceDefinitionContext.Builder()
            .withGroup("jobset.x-k8s.io")
            .withVersion("v1alpha2")
            .withKind("JobSet")
            .withPlural("jobsets")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private int restarts;

    WorkloadControllers(KubernetesClient client) {
        this.client = client;
    }

    /** Teaches the API server what a JobSet is. */
    void install() throws IOException {
        try (InputStream yaml =
                Files.newInputStream(ControlPlaneBinaries.ofCheckout().home().resolve(DEFINITION))) {
            CustomResourceDefinition definition =
                    client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
            client.resource(definition).serverSideApply();
            client.resource(definition).waitUntilCondition(ApiServer::isEstablished, 60, TimeUnit.SECONDS);
        }
    }

    /** The definition is still established while it goes: whoever taught it anew meanwhile would lose it. */
    void uninstall() {
        var definition = client.apiextensions().v1().customResourceDefinitions().withName("jobsets.jobset.x-k8s.io");
        definition.delete();
        definition.waitUntilCondition(Objects::isNull, 2, TimeUnit.MINUTES);
    }

    /** One round: what should be there is made, what should not be is removed, and pods without a gate run. */
    void work() {
        Set<String> owners = new HashSet<>();
        for (GenericKubernetesResource jobSet : jobSets()) {
            owners.add(jobSet.getMetadata().getUid());
            if (!hasEnded(jobSet) && !Boolean.TRUE.equals(jobSet.get("spec", "suspend"))) {
                owners.add(workers(jobSet));
            }
        }
        for (Job job : client.batch().v1().jobs().inNamespace(SPACE).list().getItems()) {
            if (isLeft(job, owners)) {
                client.resource(job).withGracePeriod(0).delete();
            }
        }
        for (Pod pod : pods()) {
            if (isLeft(pod, owners)) {
                client.resource(pod).withGracePeriod(0).delete();
            } else if (pod.getSpec().getSchedulingGates().isEmpty()) {
                run(pod);
            }
        }
    }

    /** The Job and its pods fail, and JobSet makes them anew and counts it. */
    void restart() {
        restarts++;
        for (GenericKubernetesResource jobSet : jobSets()) {
            Object counted = jobSet.get("status", "restarts");
            int times = counted instanceof Number number ? number.intValue() : 0;
            client.genericKubernetesResources(JOB_SETS)
                    .resource(jobSet)
                    .subresource("status")
                    .patch(MERGE, "{\"status\":{\"restarts\":" + (times + 1) + "}}");
        }
        client.batch()
                .v1()
                .jobs()
                .inNamespace(SPACE)
                .withLabel("jobset.sigs.k8s.io/jobset-name")
                .withGracePeriod(0)
                .delete();
        for (Pod pod : pods()) {
            client.resource(pod).withGracePeriod(0).delete();
        }
    }

    /** As Kueue does: to preempt a workload, and to let it run again. */
    void suspend(String jobSet, boolean suspended) {
        client.genericKubernetesResources(JOB_SETS)
                .inNamespace(SPACE)
                .withName(jobSet)
                .patch(MERGE, "{\"spec\":{\"suspend\":" + suspended + "}}");
    }

    /** Whether a policy lets it be deleted; it stays. */
    boolean mayDelete(String jobSet) {
        try {
            client.genericKubernetesResources(JOB_SETS)
                    .inNamespace(SPACE)
                    .withName(jobSet)
                    .dryRun()
                    .delete();
            return true;
        } catch (KubernetesClientException refused) {
            return false;
        }
    }

    /** As a user does, for pods that take all GPUs of as many nodes. */
    void make(String jobSet, int pods) {
        client.genericKubernetesResources(JOB_SETS)
                .inNamespace(SPACE)
                .resource(client.getKubernetesSerialization()
                        .unmarshal("""
                                apiVersion: jobset.x-k8s.io/v1alpha2
                                kind: JobSet
                                metadata: {name: %1$s, namespace: default}
                                spec:
                                  replicatedJobs:
                                    - name: workers
                                      replicas: 1
                                      template:
                                        spec:
                                          completions: %2$d
                                          parallelism: %2$d
                                          completionMode: Indexed
                                          template:
                                            spec:
                                              restartPolicy: Never
                                              schedulingGates: [{name: lightpath.dev/circuits}]
                                              containers:
                                                - {name: train, image: example/train, resources: {limits: {nvidia.com/gpu: 4}}}
                                """.formatted(jobSet, pods), GenericKubernetesResource.class))
                .create();
    }

    void delete(String jobSet) {
        client.genericKubernetesResources(JOB_SETS)
                .inNamespace(SPACE)
                .withName(jobSet)
                .delete();
    }

    void complete() {
        for (GenericKubernetesResource jobSet : jobSets()) {
            client.genericKubernetesResources(JOB_SETS)
                    .resource(jobSet)
                    .subresource("status")
                    .patch(MERGE, """
                            {"status":{"terminalState":"Completed","conditions":[{"type":"Completed","status":"True","reason":"AllJobsCompleted",
                            "message":"all","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
                            """);
        }
        for (Pod pod : pods()) {
            phase(pod, "Succeeded");
        }
    }

    List<GenericKubernetesResource> jobSets() {
        return client.genericKubernetesResources(JOB_SETS)
                .inNamespace(SPACE)
                .list()
                .getItems();
    }

    private List<Pod> pods() {
        return client.pods()
                .inNamespace(SPACE)
                .withLabel("jobset.sigs.k8s.io/jobset-name")
                .list()
                .getItems();
    }

    List<Pod> podsOf(String job) {
        return client.pods()
                .inNamespace(SPACE)
                .withLabel("lightpath.dev/job", job)
                .list()
                .getItems();
    }

    private boolean hasEnded(GenericKubernetesResource jobSet) {
        return jobSet.getMetadata().getDeletionTimestamp() != null || jobSet.get("status", "terminalState") != null;
    }

    private static boolean isLeft(HasMetadata object, Set<String> owners) {
        return object.getMetadata().getLabels() != null
                && object.getMetadata().getLabels().containsKey("jobset.sigs.k8s.io/jobset-name")
                && object.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> owners.contains(owner.getUid()));
    }

    /** The Job of a JobSet and its pods; returns the UID of the Job. */
    private String workers(GenericKubernetesResource jobSet) {
        String name = jobSet.getMetadata().getName() + "-workers-0";
        Map<String, Object> spec = jobSet.get("spec", "replicatedJobs", 0, "template", "spec");
        Map<String, Object> template = jobSet.get("spec", "replicatedJobs", 0, "template", "spec", "template");
        Map<String, String> labels = Map.of(
                "jobset.sigs.k8s.io/jobset-name",
                jobSet.getMetadata().getName(),
                "jobset.sigs.k8s.io/job-global-index",
                "0");
        Job job = client.batch().v1().jobs().inNamespace(SPACE).withName(name).get();
        if (job == null) {
            GenericKubernetesResource wanted = new GenericKubernetesResource();
            wanted.setApiVersion("batch/v1");
            wanted.setKind("Job");
            wanted.setMetadata(owned(name, jobSet, labels));
            wanted.setAdditionalProperty("spec", spec);
            client.genericKubernetesResources("batch/v1", "Job")
                    .inNamespace(SPACE)
                    .resource(wanted)
                    .create();
            job = client.batch().v1().jobs().inNamespace(SPACE).withName(name).get();
        }
        int pods = ((Number) spec.get("completions")).intValue();
        for (int index = 0; index < pods; index++) {
            if (client.pods().inNamespace(SPACE).withName(name + "-" + index).get() == null) {
                pod(job, template, index, labels);
            }
        }
        return job.getMetadata().getUid();
    }

    @SuppressWarnings("unchecked") // a template as JSON has it
    private void pod(Job job, Map<String, Object> template, int index, Map<String, String> labels) {
        GenericKubernetesResource pod = new GenericKubernetesResource();
        pod.setApiVersion("v1");
        pod.setKind("Pod");
        pod.setMetadata(owned(job.getMetadata().getName() + "-" + index, job, labels));
        var metadata = (Map<String, Object>) template.getOrDefault("metadata", Map.of());
        pod.getMetadata().getLabels().putAll((Map<String, String>) metadata.getOrDefault("labels", Map.of()));
        pod.getMetadata()
                .getLabels()
                .put("batch.kubernetes.io/job-name", job.getMetadata().getName());
        pod.getMetadata().getLabels().put("jobset.sigs.k8s.io/restart-attempt", Integer.toString(restarts));
        pod.getMetadata().setAnnotations(Map.of("batch.kubernetes.io/job-completion-index", Integer.toString(index)));
        pod.setAdditionalProperty("spec", template.get("spec"));
        client.genericKubernetesResources("v1", "Pod")
                .inNamespace(SPACE)
                .resource(pod)
                .create();
    }

    private static io.fabric8.kubernetes.api.model.ObjectMeta owned(
            String name, HasMetadata owner, Map<String, String> labels) {
        return new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName(name)
                .withNamespace(SPACE)
                .withLabels(new java.util.HashMap<>(labels))
                .addNewOwnerReference()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .build();
    }

    /** Binds it to the node that its affinity names. */
    private void run(Pod pod) {
        if (pod.getSpec().getNodeName() == null) {
            String node = pod.getSpec()
                    .getAffinity()
                    .getNodeAffinity()
                    .getRequiredDuringSchedulingIgnoredDuringExecution()
                    .getNodeSelectorTerms()
                    .getFirst()
                    .getMatchFields()
                    .getFirst()
                    .getValues()
                    .getFirst();
            client.bindings()
                    .inNamespace(SPACE)
                    .resource(new BindingBuilder()
                            .withNewMetadata()
                            .withName(pod.getMetadata().getName())
                            .withNamespace(SPACE)
                            .endMetadata()
                            .withNewTarget()
                            .withKind("Node")
                            .withName(node)
                            .endTarget()
                            .build())
                    .create();
        }
        if ("Pending".equals(pod.getStatus().getPhase())) {
            phase(pod, "Running");
        }
    }

    private void phase(Pod pod, String phase) {
        client.pods().resource(pod).subresource("status").patch(MERGE, "{\"status\":{\"phase\":\"" + phase + "\"}}");
    }
}
