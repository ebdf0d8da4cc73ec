package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod template says of the job's size something other than its spec, as far as that can be read: in variables
 * and in flags of torchrun and Megatron-LM that are plain numbers. What the template says wins; the user is told.
 */
public final class TemplateContradictions {
    private static final int MOST_TOLD = 3;
    private static final Pattern FLAG =
            Pattern.compile("--([a-z][a-z-]{0,60})(?:[=\\s]+([0-9]{1,9}))?(?=$|[\\s;&|\"'])");

    private TemplateContradictions() {}

    /**
     * One sentence for each, the first few.
     *
     * @param nodes pods of the job
     * @param gpuResource extended resource that counts GPUs
     */
    public static List<String> of(TrainingJob job, int nodes, String gpuResource) {
        @Nullable Workload workload = job.getSpec().workload();
        @Nullable JsonNode template = workload == null ? null : workload.template();
        if (template == null) {
            return List.of();
        }
        SortedSet<String> found = new TreeSet<>();
        Parallelism parallelism = job.getSpec().parallelism();
        for (JsonNode container : template.path("spec").path("containers")) {
            OptionalInt gpus = GpuLimit.of(container, gpuResource);
            int processes = gpus.orElse(0) > 0 ? gpus.getAsInt() : Math.ceilDiv(parallelism.gpus(), nodes);
            String name = container.path("name").asText();
            variables(container, nodes, processes)
                    .forEach((variable, instead) ->
                            found.add("container " + name + " sets " + variable + "; " + instead));
            flags(container, parallelism, nodes, processes)
                    .forEach((flag, instead) ->
                            found.add("container " + name + " runs with --" + flag + "; " + instead));
            if (stagesAreElsewhere(container, job)) {
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

    private static Map<String, String> variables(JsonNode container, int nodes, int processes) {
        Map<String, String> wrong = new LinkedHashMap<>();
        for (JsonNode variable : container.path("env")) {
            String name = variable.path("name").asText();
            String value = variable.path("value").asText();
            if (!value.matches("[0-9]{1,9}")) {
                continue;
            }
            switch (name) {
                case "NNODES", "PET_NNODES", "JAX_NUM_PROCESSES" ->
                    differ(wrong, name + " to " + value, value, nodes, "the job has " + nodes + " pods: omit it");
                case "NPROC_PER_NODE", "PET_NPROC_PER_NODE" ->
                    differ(wrong, name + " to " + value, value, processes, "a pod has " + processes + " GPUs: omit it");
                case "WORLD_SIZE" ->
                    differ(
                            wrong,
                            name + " to " + value,
                            value,
                            (long) nodes * processes,
                            "the job has " + nodes + " pods of " + processes + " GPUs: omit it");
                case "NODE_RANK", "PET_NODE_RANK", "RANK", "JAX_PROCESS_ID" -> {
                    if (nodes > 1) {
                        wrong.put(name + " to " + value + " in every pod", "each has a rank of its own: omit it");
                    }
                }
                default -> {}
            }
        }
        return wrong;
    }

    private static Map<String, String> flags(JsonNode container, Parallelism parallelism, int nodes, int processes) {
        Map<String, String> wrong = new LinkedHashMap<>();
        read(container).forEach((flag, value) -> {
            String is = flag + "=" + value;
            switch (flag) {
                case "nnodes" -> differ(wrong, is, value, nodes, "the job has " + nodes + " pods");
                case "nproc-per-node" -> differ(wrong, is, value, processes, "a pod has " + processes + " GPUs");
                case "tensor-model-parallel-size" -> spec(wrong, is, value, "tensor", parallelism.tensor());
                case "pipeline-model-parallel-size" -> spec(wrong, is, value, "pipeline", parallelism.pipeline());
                case "context-parallel-size" -> spec(wrong, is, value, "context", parallelism.context());
                case "expert-model-parallel-size" -> spec(wrong, is, value, "expert", parallelism.expert());
                default -> {}
            }
        });
        return wrong;
    }

    private static void spec(Map<String, String> wrong, String is, String value, String field, int said) {
        differ(wrong, is, value, said, "spec.parallelism." + field + " is " + said + ": write the same in both");
    }

    private static void differ(Map<String, String> wrong, String what, String value, long said, String instead) {
        if (!value.isEmpty() && Long.parseLong(value) != said) {
            wrong.put(what, instead);
        }
    }

    private static boolean stagesAreElsewhere(JsonNode container, TrainingJob job) {
        Map<String, String> flags = read(container);
        return job.getSpec().scaleOut() != null
                && job.getSpec().parallelism().pipeline() > 1
                && flags.containsKey("pipeline-model-parallel-size")
                && !flags.containsKey("use-tp-pp-dp-mapping");
    }

    /** Flags of the command line and their numbers, blank where there is none; the last of a name counts. */
    private static Map<String, String> read(JsonNode container) {
        StringBuilder line = new StringBuilder();
        for (String part : List.of("command", "args")) {
            for (JsonNode word : container.path(part)) {
                line.append(' ').append(word.asText());
            }
        }
        Map<String, String> flags = new LinkedHashMap<>();
        Matcher flag = FLAG.matcher(line.toString().replace('_', '-'));
        while (flag.find()) {
            @Nullable String value = flag.group(2);
            flags.put(flag.group(1), value == null ? "" : value);
        }
        return flags;
    }
}
