package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.reading.pod.WorkloadKind;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a workload without replicated jobs says of its pods, by kind. Those that ask for GPUs train; if none does, all
 * do.
 *
 * @param all pod templates
 * @param suspended whether it makes no pods
 * @param leaderFirst whether pods of the other templates are made only once one of the first runs
 */
public record PodTemplates(List<JsonNode> all, boolean suspended, boolean leaderFirst) {
    public PodTemplates {
        all = List.copyOf(all);
    }

    /** @param workload as the API server has it */
    public static PodTemplates of(WorkloadKind kind, JsonNode workload) {
        JsonNode spec = workload.path("spec");
        return switch (kind) {
            case PYTORCH_JOB -> replicas(spec, "pytorchReplicaSpecs");
            case MPI_JOB -> replicas(spec, "mpiReplicaSpecs");
            case LEADER_WORKER_SET -> leaderAndWorkers(spec);
            case RAY_CLUSTER -> {
                List<JsonNode> all = new ArrayList<>(List.of(spec.at("/headGroupSpec/template")));
                spec.path("workerGroupSpecs").forEach(group -> all.add(group.path("template")));
                yield new PodTemplates(all, spec.path("suspend").asBoolean(), false);
            }
            case JOB_SET, TRAIN_JOB, JOB, PODS ->
                throw new IllegalArgumentException(kind + " has its pods in replicated jobs, or no template");
        };
    }

    private static PodTemplates replicas(JsonNode spec, String field) {
        List<JsonNode> all = new ArrayList<>();
        spec.path(field).forEach(replica -> all.add(replica.path("template")));
        return new PodTemplates(all, spec.at("/runPolicy/suspend").asBoolean(), false);
    }

    private static PodTemplates leaderAndWorkers(JsonNode spec) {
        JsonNode group = spec.path("leaderWorkerTemplate");
        JsonNode worker = group.path("workerTemplate");
        JsonNode leader = group.has("leaderTemplate") ? group.path("leaderTemplate") : worker;
        return new PodTemplates(
                List.of(leader, worker),
                false,
                spec.path("startupPolicy").asText().equals("LeaderReady")
                        && group.path("size").asInt(1) > 1);
    }

    /** Why its pods never get ranks. */
    public Optional<String> problem(String gpuResource) {
        if (leaderFirst && trains(all.getFirst(), gpuResource)) {
            return Optional.of("startupPolicy LeaderReady makes workers once their leader runs, and no pod runs before"
                    + " all of the job are there: write LeaderCreated");
        }
        if (!byGpus(gpuResource)
                && all.stream().anyMatch(PodTemplates::isGated)
                && !all.stream().allMatch(PodTemplates::isGated)) {
            return Optional.of("no container asks for " + gpuResource
                    + ", so pods without the gate count as pods that train: set resources.limits of those that do");
        }
        return all.stream().map(PodPlace::problem).flatMap(Optional::stream).findFirst();
    }

    /** Whether all templates of pods that train carry our gate. */
    public boolean gated(String gpuResource) {
        return training(gpuResource).stream().allMatch(PodTemplates::isGated);
    }

    /** The templates of pods that train. */
    public List<JsonNode> training(String gpuResource) {
        return all.stream().filter(template -> trains(template, gpuResource)).toList();
    }

    private boolean trains(JsonNode template, String gpuResource) {
        return asks(template, gpuResource) || all.stream().noneMatch(each -> asks(each, gpuResource));
    }

    /** Whether only pods that ask for GPUs train. */
    public boolean byGpus(String gpuResource) {
        return all.stream().anyMatch(template -> asks(template, gpuResource));
    }

    private static boolean isGated(JsonNode template) {
        for (JsonNode gate : template.path("spec").path("schedulingGates")) {
            if (LightpathNames.SCHEDULING_GATE.equals(gate.path("name").asText())) {
                return true;
            }
        }
        return false;
    }

    private static boolean asks(JsonNode template, String gpuResource) {
        for (JsonNode container : template.path("spec").path("containers")) {
            if (GpuLimit.of(container, gpuResource).orElse(0) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a pod asks for GPUs. */
    public static boolean asks(Pod pod, String gpuResource) {
        return pod.getSpec().getContainers().stream()
                .map(Container::getResources)
                .anyMatch(resources -> resources != null
                        && (counts(resources.getLimits(), gpuResource)
                                || counts(resources.getRequests(), gpuResource)));
    }

    private static boolean counts(@Nullable Map<String, Quantity> amounts, String resource) {
        @Nullable Quantity amount = amounts == null ? null : amounts.get(resource);
        return amount != null && amount.getNumericalAmount().signum() > 0;
    }
}
