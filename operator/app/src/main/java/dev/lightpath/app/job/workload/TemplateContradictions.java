package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.planner.words.Counted;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod template says of the job's size something other than its spec, as far as that can be read: in the GPUs
 * that it asks for, in variables, and in flags of torchrun, DeepSpeed, mpirun, Megatron-LM, torchtitan and MaxText that
 * are plain numbers. What the template says wins; the user is told.
 */
public final class TemplateContradictions {
    private static final int MOST_TOLD = 3;

    /** Kinds whose controllers write no variables of torchrun into their pods. */
    private static final Set<String> NO_VARIABLES = Set.of("JobSet", "Job");

    private TemplateContradictions() {}

    /**
     * Of the template of a job: one sentence for each, the first few.
     *
     * @param nodes pods of the job
     * @param gpusPerNode that a node of its fabric has; 0 where that is not known
     * @param gpuResource extended resource that counts GPUs
     */
    public static List<String> of(TrainingJob job, int nodes, int gpusPerNode, String gpuResource) {
        @Nullable Workload workload = job.getSpec().workload();
        @Nullable JsonNode template = workload == null ? null : workload.template();
        return template == null ? List.of() : of(job, List.of(template), true, nodes, gpusPerNode, gpuResource);
    }

    /**
     * The same of pod templates that others wrote: what their processes need, the operator does not give them.
     *
     * @param templates of the pods that train
     */
    public static List<String> of(
            TrainingJob job, List<JsonNode> templates, int nodes, int gpusPerNode, String gpuResource) {
        return of(job, templates, false, nodes, gpusPerNode, gpuResource);
    }

    private static List<String> of(
            TrainingJob job, List<JsonNode> templates, boolean own, int nodes, int gpusPerNode, String gpuResource) {
        SortedSet<String> found = new TreeSet<>();
        Parallelism parallelism = job.getSpec().parallelism();
        @Nullable Workload workload = job.getSpec().workload();
        List<JsonNode> containers = new ArrayList<>();
        for (JsonNode template : templates) {
            template.path("spec").path("containers").forEach(containers::add);
            gpus(template.path("spec"), job, nodes, gpusPerNode, gpuResource).ifPresent(found::add);
        }
        for (JsonNode container : containers) {
            OptionalInt gpus = GpuLimit.of(container, gpuResource);
            int processes = gpus.orElse(0) > 0 ? gpus.getAsInt() : Math.ceilDiv(parallelism.gpus(), nodes);
            String name = container.path("name").asText();
            variables(container, own, nodes, processes)
                    .forEach((variable, instead) ->
                            found.add("container " + name + " sets " + variable + "; " + instead));
            CommandLine line = CommandLine.of(container);
            flags(line.flags(), parallelism, own, nodes, processes)
                    .forEach((flag, instead) -> found.add("container " + name + " runs with " + flag + "; " + instead));
            if (nodes > 1) {
                line.rendezvousByHostName()
                        .ifPresent(backend -> found.add("container " + name + " runs with --rdzv-backend=" + backend
                                + "; ranks then follow the host names and not the light: omit it"));
                line.mappingRoundPods()
                        .ifPresent(mapping -> found.add("container " + name + " runs with " + mapping
                                + "; neighbouring ranks are then in different pods and not along the light: write"
                                + " --map-by slot"));
                if (own && line.runsDeepspeedAlone()) {
                    found.add("container " + name + " runs deepspeed with neither --hostfile nor --no-ssh; it then"
                            + " trains alone in each pod: start the program with torchrun");
                }
            }
            if (nodes > 1 && isAlone(container, line, workload)) {
                found.add("container " + name + " runs torchrun with neither --nnodes nor PET_NNODES; it then trains"
                        + " alone in each pod: set PET_NNODES to " + nodes
                        + ", PET_NODE_RANK, and PET_MASTER_ADDR to the host of rank 0");
            }
            if (stagesAreElsewhere(line.flags(), job)) {
                found.add("container " + name + " runs with --pipeline-model-parallel-size and without"
                        + " --use-tp-pp-dp-mapping; neighbouring stages are then not where the circuits are: add it");
            }
        }
        List<String> told = new ArrayList<>(found.stream().limit(MOST_TOLD).toList());
        if (found.size() > told.size()) {
            told.add((found.size() - told.size()) + " more");
        }
        return List.copyOf(told);
    }

    private static Optional<String> gpus(
            JsonNode pod, TrainingJob job, int nodes, int gpusPerNode, String gpuResource) {
        return otherGpus(pod, gpuResource).or(() -> tooFewOrMany(pod, job, nodes, gpusPerNode, gpuResource));
    }

    /** Of another vendor than those that the fabric counts: the nodes of the job need not have any. */
    private static Optional<String> otherGpus(JsonNode pod, String gpuResource) {
        SortedSet<String> others = new TreeSet<>();
        for (JsonNode container : pod.path("containers")) {
            for (String kind : List.of("limits", "requests")) {
                container.path("resources").path(kind).fieldNames().forEachRemaining(others::add);
            }
        }
        return others.remove(gpuResource)
                ? Optional.empty()
                : others.stream()
                        .filter(resource -> resource.endsWith("/gpu"))
                        .findFirst()
                        .map(resource -> "a pod asks for " + resource + " and for no " + gpuResource
                                + "; GPUs of the fabric are counted by that (gpuResource): ask for it");
    }

    /**
     * A pod that asks for none says nothing of them. All others ask for what the fullest node needs: groups fill the
     * nodes of a ring one after the other, and the last may have fewer. On switches they may lie otherwise, so only
     * what fits no placement is told.
     */
    private static Optional<String> tooFewOrMany(
            JsonNode pod, TrainingJob job, int nodes, int gpusPerNode, String gpuResource) {
        int gpus = job.getSpec().parallelism().gpus();
        int even = Math.ceilDiv(gpus, nodes);
        int most = Math.max(even, Math.min(gpus, gpusPerNode));
        int least = job.getSpec().scaleOut() == null ? most : even;
        return GpuLimit.asked(pod, gpuResource)
                .filter(asked -> asked.signum() > 0)
                .filter(asked -> asked.compareTo(BigDecimal.valueOf(least)) < 0
                        || asked.multiply(BigDecimal.valueOf(nodes)).compareTo(BigDecimal.valueOf(gpus)) > 0)
                .map(asked -> "a pod asks for " + asked.stripTrailingZeros().toPlainString() + " " + gpuResource
                        + "; the job has " + Counted.of(gpus, "GPU") + " on " + Counted.of(nodes, "node") + ": "
                        + (asked.compareTo(BigDecimal.valueOf(least)) < 0
                                        || asked.compareTo(BigDecimal.valueOf(most)) > 0
                                ? "ask for " + (least == most ? "" : "at least ") + least
                                : "all its pods have more together; choose a parallelism that fills whole nodes"));
    }

    private static Map<String, String> variables(JsonNode container, boolean own, int nodes, int processes) {
        Map<String, String> wrong = new LinkedHashMap<>();
        String omit = own ? ": omit it" : "";
        for (JsonNode variable : container.path("env")) {
            String name = variable.path("name").asText();
            String value = variable.path("value").asText();
            if (name.equals("PET_RDZV_BACKEND") && value.matches("c10d|etcd-v2|etcd") && nodes > 1) {
                wrong.put(name + " to " + value, "ranks then follow the host names and not the light: omit it");
            }
            if (!value.matches("[0-9]{1,9}")) {
                continue;
            }
            switch (name) {
                case "NNODES", "PET_NNODES" ->
                    differ(wrong, name + " to " + value, value, nodes, "the job has " + nodes + " pods" + omit);
                case "JAX_NUM_PROCESSES" -> {
                    if (!sharesGpus(Long.parseLong(value), nodes, processes)) {
                        differ(wrong, name + " to " + value, value, nodes, "the job has " + nodes + " pods" + omit);
                    }
                }
                case "NPROC_PER_NODE", "PET_NPROC_PER_NODE" ->
                    differ(wrong, name + " to " + value, value, processes, "a pod has " + processes + " GPUs" + omit);
                case "WORLD_SIZE" ->
                    differ(
                            wrong,
                            name + " to " + value,
                            value,
                            (long) nodes * processes,
                            "the job has " + nodes + " pods of " + processes + " GPUs" + omit);
                case "NODE_RANK", "PET_NODE_RANK", "RANK", "JAX_PROCESS_ID" -> {
                    // others may have a template for each pod
                    if (own && nodes > 1) {
                        wrong.put(name + " to " + value + " in every pod", "each has a rank of its own: omit it");
                    }
                }
                default -> {}
            }
        }
        return wrong;
    }

    /** Whether so many processes are as many in each pod, and share its GPUs evenly: JAX runs one in a pod, or more. */
    private static boolean sharesGpus(long all, int nodes, int gpus) {
        return all > 0 && all % nodes == 0 && gpus % (all / nodes) == 0;
    }

    private static Map<String, String> flags(
            Map<String, String> flags, Parallelism parallelism, boolean own, int nodes, int processes) {
        Map<String, String> wrong = new LinkedHashMap<>();
        flags.forEach((flag, value) -> {
            String is = flag + (flag.equals("-np") ? " " : "=") + value;
            switch (flag) {
                case "--nnodes", "--num-nodes", "--num-machines" ->
                    differ(wrong, is, value, nodes, "the job has " + nodes + " pods");
                case "--nproc-per-node", "--num-gpus" ->
                    differ(wrong, is, value, processes, "a pod has " + processes + " GPUs");
                case "-np" -> {
                    // one for each pod is what prepares the pods, or has all GPUs of its own
                    if (!value.equals(Integer.toString(nodes))) {
                        long all = (long) nodes * processes;
                        differ(wrong, is, value, all, "the job has " + all + " GPUs: omit it");
                    }
                }
                case "--node-rank" -> {
                    if (own && nodes > 1 && !value.isEmpty()) {
                        wrong.put(is + " in every pod", "each has a rank of its own: omit it");
                    }
                }
                case "--standalone" -> {
                    if (nodes > 1) {
                        wrong.put(flag, "each pod then waits for the others at an address of its own: omit it");
                    }
                }
                case "--tensor-model-parallel-size", "--parallelism.tensor-parallel-degree" ->
                    spec(wrong, is, value, "tensor", parallelism.tensor());
                case "--pipeline-model-parallel-size", "--parallelism.pipeline-parallel-degree" ->
                    spec(wrong, is, value, "pipeline", parallelism.pipeline());
                case "--context-parallel-size", "--parallelism.context-parallel-degree" ->
                    spec(wrong, is, value, "context", parallelism.context());
                case "--expert-model-parallel-size", "--parallelism.expert-parallel-degree" ->
                    spec(wrong, is, value, "expert", parallelism.expert());
                case "ici-tensor-parallelism", "dcn-tensor-parallelism" ->
                    axis(wrong, flags, "tensor", parallelism.tensor());
                case "ici-pipeline-parallelism", "dcn-pipeline-parallelism" ->
                    axis(wrong, flags, "pipeline", parallelism.pipeline());
                case "ici-context-parallelism", "dcn-context-parallelism" ->
                    axis(wrong, flags, "context", parallelism.context());
                case "ici-expert-parallelism", "dcn-expert-parallelism" ->
                    axis(wrong, flags, "expert", parallelism.expert());
                default -> {}
            }
        });
        return wrong;
    }

    /** MaxText splits an axis over the chips of a slice (ici) and over slices (dcn): what is not written is 1. */
    private static void axis(Map<String, String> wrong, Map<String, String> flags, String axis, int said) {
        String inside = flags.getOrDefault("ici-" + axis + "-parallelism", "1");
        String over = flags.getOrDefault("dcn-" + axis + "-parallelism", "1");
        if (!inside.isEmpty() && !over.isEmpty()) {
            String both = Long.toString(Long.parseLong(inside) * Long.parseLong(over));
            spec(wrong, "ici and dcn " + axis + " parallelism of " + both, both, axis, said);
        }
    }

    private static void spec(Map<String, String> wrong, String is, String value, String field, int said) {
        differ(wrong, is, value, said, "spec.parallelism." + field + " is " + said + ": write the same in both");
    }

    private static void differ(Map<String, String> wrong, String what, String value, long said, String instead) {
        if (!value.isEmpty() && Long.parseLong(value) != said) {
            wrong.put(what, instead);
        }
    }

    /** Whether torchrun is told of no other pod. Controllers of other kinds than these write its variables. */
    private static boolean isAlone(JsonNode container, CommandLine line, @Nullable Workload workload) {
        @Nullable WorkloadReference reference = workload == null ? null : workload.ref();
        if (reference == null
                || !NO_VARIABLES.contains(reference.kind())
                || !container.path("envFrom").isEmpty()) {
            return false;
        }
        for (JsonNode variable : container.path("env")) {
            if (variable.path("name").asText().equals("PET_NNODES")) {
                return false;
            }
        }
        return line.runsTorchrun() && !line.line().contains("--nnodes");
    }

    private static boolean stagesAreElsewhere(Map<String, String> flags, TrainingJob job) {
        return job.getSpec().scaleOut() != null
                && job.getSpec().parallelism().pipeline() > 1
                && flags.containsKey("--pipeline-model-parallel-size")
                && !flags.containsKey("--use-tp-pp-dp-mapping");
    }
}
