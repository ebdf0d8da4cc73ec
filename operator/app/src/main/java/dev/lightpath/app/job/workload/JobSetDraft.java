package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.kueue.Kueue;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The JobSet of a job's pod template: one Indexed Job with a pod per node behind the gate. What the template says
 * stays; what its processes and the gate need is added.
 */
public final class JobSetDraft {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private JobSetDraft() {}

    /**
     * @param gpuResource extended resource that counts GPUs
     * @throws IllegalArgumentException when the template cannot be one; the message says where and what is allowed
     */
    public static GenericKubernetesResource of(TrainingJob job, int nodes, String gpuResource) {
        Workload workload = job.getSpec().workload();
        @Nullable JsonNode template = workload == null ? null : workload.template();
        if (template == null || !template.path("spec").isObject()) {
            throw new IllegalArgumentException("spec is missing: write a pod template with spec.containers");
        }
        requireShallow(template);
        String name = JobNames.jobSet(job);
        GenericKubernetesResource jobSet = new GenericKubernetesResource();
        jobSet.setApiVersion(JobSets.GROUP + "/" + JobSets.VERSION);
        jobSet.setKind(JobSets.KIND);
        jobSet.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(job.getMetadata().getNamespace())
                .addToLabels(LightpathLabels.JOB, job.getMetadata().getName())
                .addToLabels(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH)
                .withOwnerReferences(owner(job))
                .build());
        jobSet.getMetadata().setAnnotations(Made.of(job).annotations());
        if (restarts(job) > 0) {
            jobSet.getMetadata()
                    .getAnnotations()
                    .put(LightpathAnnotations.RESTARTED_BEFORE, Integer.toString(restarts(job)));
        }
        if (Made.queue(job).isPresent()) {
            job.getMetadata().getLabels().forEach((key, value) -> {
                if (key.startsWith(Kueue.GROUP + "/")) {
                    jobSet.getMetadata().getLabels().put(key, value);
                }
            });
        }
        jobSet.setAdditionalProperty("spec", spec(job, name, template, nodes, gpuResource));
        return jobSet;
    }

    /**
     * What is copied, compared and written goes down as deep as the template is, and the API server takes 10 000
     * levels.
     */
    private static void requireShallow(JsonNode template) {
        if (Made.isDeep(template)) {
            throw new IllegalArgumentException(
                    "is more than " + Made.DEEPEST + " levels deep: write a pod template with spec.containers");
        }
    }

    /** The same pods as an object that runs nothing. */
    public static GenericKubernetesResource podTemplate(TrainingJob job, int nodes, String gpuResource) {
        GenericKubernetesResource jobSet = of(job, nodes, gpuResource);
        Workload workload = job.getSpec().workload();
        JsonNode template = java.util.Objects.requireNonNull(workload == null ? null : workload.template());
        GenericKubernetesResource pods = new GenericKubernetesResource();
        pods.setApiVersion("v1");
        pods.setKind("PodTemplate");
        pods.setMetadata(new ObjectMetaBuilder()
                .withName(jobSet.getMetadata().getName())
                .withNamespace(jobSet.getMetadata().getNamespace())
                .build());
        pods.setAdditionalProperty("template", pod(job, jobSet.getMetadata().getName(), template, nodes, gpuResource));
        return pods;
    }

    public static OwnerReference owner(TrainingJob job) {
        return new OwnerReferenceBuilder()
                .withApiVersion(job.getApiVersion())
                .withKind(TrainingJob.KIND)
                .withName(job.getMetadata().getName())
                .withUid(job.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(false)
                .build();
    }

    private static ObjectNode spec(TrainingJob job, String name, JsonNode template, int nodes, String gpuResource) {
        ObjectNode spec = JSON.objectNode();
        spec.putObject("failurePolicy")
                .put("maxRestarts", Math.max(0, job.getSpec().maxRestarts() - restarts(job)));
        ObjectNode workers = spec.putArray("replicatedJobs").addObject();
        workers.put("name", JobSets.WORKERS).put("replicas", 1);
        workers.putObject("template")
                .putObject("spec")
                .put("completionMode", "Indexed")
                .put("completions", nodes)
                .put("parallelism", nodes)
                .put("backoffLimit", 0)
                .set("template", pod(job, name, template, nodes, gpuResource));
        return spec;
    }

    /** What JobSets before it counted since the job got its place. */
    public static int restarts(TrainingJob job) {
        @Nullable TrainingJobStatus status = job.getStatus();
        @Nullable Integer counted = status == null ? null : status.restarts();
        return counted == null ? 0 : counted;
    }

    private static ObjectNode pod(TrainingJob job, String name, JsonNode template, int nodes, String gpuResource) {
        ObjectNode pod = template.deepCopy();
        PodPlace.removeFrom(pod);
        Json.object(Json.object(pod, "metadata"), "labels")
                .put(LightpathLabels.JOB, job.getMetadata().getName())
                .put(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH);
        ObjectNode spec = Json.object(pod, "spec");
        spec.put("restartPolicy", "Never");
        if (job.getSpec().priorityClassName() != null && !spec.has("priorityClassName")) {
            spec.put("priorityClassName", job.getSpec().priorityClassName());
        }
        ArrayNode gates = Json.array(spec, "schedulingGates");
        if (!Json.names(gates, "name", LightpathNames.SCHEDULING_GATE)) {
            gates.addObject().put("name", LightpathNames.SCHEDULING_GATE);
        }
        int evictionSeconds = job.getSpec().recovery().evictionSeconds();
        tolerate(spec, "node.kubernetes.io/not-ready", evictionSeconds);
        tolerate(spec, "node.kubernetes.io/unreachable", evictionSeconds);
        new ProcessEnvironment(
                        job.getMetadata().getName(),
                        name,
                        nodes,
                        job.getSpec().parallelism().gpus(),
                        gpuResource)
                .complete(Json.array(spec, "containers"));
        LightVolume.addTo(spec);
        return pod;
    }

    private static void tolerate(ObjectNode spec, String taint, int seconds) {
        ArrayNode tolerations = Json.array(spec, "tolerations");
        if (!Json.names(tolerations, "key", taint)) {
            tolerations
                    .addObject()
                    .put("key", taint)
                    .put("operator", "Exists")
                    .put("effect", "NoExecute")
                    .put("tolerationSeconds", seconds);
        }
    }
}
