package dev.lightpath.app.job.workload;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.NodeStanding;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.kueue.Kueue;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.Reason;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a workload and its pods say. */
public final class WorkloadReading {
    private WorkloadReading() {}

    /** Conditions of a JobSet, a Job, and a PyTorchJob or MPIJob. */
    private static final Set<String> ENDED_WELL = Set.of("Completed", "Complete", "Succeeded");

    /** Of restarts: of at most six digits, as a user may write any. */
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");

    /** Of one whose pods are all workers. */
    public static WorkloadFacts.Run run(JsonNode workload) {
        return run(workload, WorkerJobs.ALL);
    }

    /** @param workload a JobSet or Job as the API server has it */
    public static WorkloadFacts.Run run(JsonNode workload, WorkerJobs workers) {
        boolean gated = true;
        for (JsonNode job : jobs(workload, workers)) {
            gated &= isGated(job);
        }
        return new WorkloadFacts.Run(
                isGoing(workload),
                gated,
                ending(workload),
                workload.path("spec").path("suspend").asBoolean(),
                Made.read(workload.path("metadata").path("annotations")),
                workload.path("spec").path("managedBy").asText().equals(Kueue.MULTIKUEUE),
                Optional.empty(),
                restarts(workload),
                false);
    }

    private static boolean isGated(JsonNode job) {
        for (JsonNode gate : job.path("spec").path("template").path("spec").path("schedulingGates")) {
            if (LightpathNames.SCHEDULING_GATE.equals(gate.path("name").asText())) {
                return true;
            }
        }
        return false;
    }

    /** Names of the replicated jobs with workers whose pods lack the gate; none of a Job alone. */
    public static List<String> ungated(JsonNode workload, WorkerJobs workers) {
        List<String> names = new ArrayList<>();
        if (isJobSet(workload)) {
            Iterator<Boolean> compute = workers.of(workload).iterator();
            for (JsonNode replicated : workload.path("spec").path("replicatedJobs")) {
                if (compute.next() && !isGated(replicated.path("template"))) {
                    names.add(replicated.path("name").asText());
                }
            }
        }
        return names;
    }

    /** A JobSet counts its own, and says what was counted before it was made. */
    private static int restarts(JsonNode workload) {
        String before = workload.path("metadata")
                .path("annotations")
                .path(LightpathAnnotations.RESTARTED_BEFORE)
                .asText();
        return Math.max(0, workload.path("status").path("restarts").asInt())
                + (COUNT.matcher(before).matches() ? Integer.parseInt(before) : 0);
    }

    /** Of a workload without replicated jobs. */
    public static WorkloadFacts.Run run(JsonNode workload, PodTemplates templates, String gpuResource) {
        return new WorkloadFacts.Run(
                isGoing(workload),
                templates.gated(gpuResource),
                ending(workload),
                templates.suspended(),
                Made.unknown(),
                workload.at("/spec/runPolicy/managedBy").asText().equals(Kueue.MULTIKUEUE)
                        || workload.at("/spec/managedBy").asText().equals(Kueue.MULTIKUEUE),
                Optional.empty(),
                0,
                false);
    }

    /**
     * Of pods that are a workload by their label alone: they have the gate, or had it when the operator let them go.
     */
    public static WorkloadFacts.Run run(List<Pod> pods) {
        boolean gated = pods.stream()
                .allMatch(pod ->
                        PodPatch.gate(pod) >= 0 || pod.getMetadata().getLabels().containsKey(LightpathLabels.ATTEMPT));
        return new WorkloadFacts.Run(
                false, gated, Optional.empty(), false, Made.unknown(), false, Optional.empty(), 0, false);
    }

    private static boolean isGoing(JsonNode workload) {
        return !workload.path("metadata").path("deletionTimestamp").isMissingNode();
    }

    /** Ranks of the Jobs of a workload. A Job alone has all of them. */
    public static FirstRanks firstRanks(JsonNode workload, WorkerJobs workers) {
        if (!isJobSet(workload)) {
            return FirstRanks.ALONE;
        }
        List<FirstRanks.Replicated> all = new ArrayList<>();
        long next = 0;
        Iterator<Boolean> compute = workers.of(workload).iterator();
        for (JsonNode replicated : workload.path("spec").path("replicatedJobs")) {
            JsonNode spec = replicated.path("template").path("spec");
            FirstRanks.Replicated jobs = new FirstRanks.Replicated(
                    Math.max(0, replicated.path("replicas").asInt(1)),
                    compute.next(),
                    next,
                    Math.max(
                            0,
                            spec.path("completions")
                                    .asInt(spec.path("parallelism").asInt(1))));
            all.add(jobs);
            next = jobs.next();
        }
        return new FirstRanks(all);
    }

    /**
     * How many workers there are at one time: a Job whose parallelism is less than its completions has the others
     * later.
     */
    public static int makes(JsonNode workload, WorkerJobs workers) {
        if (!isJobSet(workload)) {
            return together(workload);
        }
        long pods = 0;
        Iterator<Boolean> compute = workers.of(workload).iterator();
        for (JsonNode replicated : workload.path("spec").path("replicatedJobs")) {
            if (compute.next()) {
                long more = (long) replicated.path("replicas").asInt(1) * together(replicated.path("template"));
                pods = Math.clamp(pods + more, 0, Integer.MAX_VALUE);
            }
        }
        return (int) pods;
    }

    private static int together(JsonNode job) {
        int parallelism = job.path("spec").path("parallelism").asInt(1);
        return Math.min(job.path("spec").path("completions").asInt(parallelism), parallelism);
    }

    /** Whether a pod waits behind our gate and is to stay. */
    public static boolean isGated(Pod pod) {
        return PodPatch.gate(pod) >= 0 && pod.getMetadata().getDeletionTimestamp() == null;
    }

    /** Whether a pod is of a Job with workers. */
    public static boolean isWorker(Pod pod, FirstRanks firstRanks) {
        return firstRanks.isWorker(number(pod, JobSets.GLOBAL_INDEX_LABEL).orElse(0));
    }

    /**
     * @param firstRanks as {@link #firstRanks} has them
     * @param look at a node of this name; asked once, and only for a pod that should have ended there, or waits for it
     */
    public static PodFacts pod(
            Pod pod, FirstRanks firstRanks, Instant now, BiFunction<String, Pod, NodeStanding> look) {
        return pod(pod, rank(pod, firstRanks), now, look);
    }

    /** The same of a pod whose rank is known otherwise. */
    public static PodFacts pod(Pod pod, OptionalInt rank, Instant now, BiFunction<String, Pod, NodeStanding> look) {
        @Nullable
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        @Nullable String node = pod.getSpec().getNodeName();
        @Nullable String deletion = pod.getMetadata().getDeletionTimestamp();
        boolean overdue = deletion != null && Instant.parse(deletion).isBefore(now);
        return new PodFacts(
                pod.getMetadata().getName(),
                rank,
                node == null ? "" : node,
                PodPatch.gate(pod) >= 0,
                "Running".equals(phase)
                        ? PodFacts.Phase.RUNNING
                        : "Succeeded".equals(phase) || "Failed".equals(phase)
                                ? PodFacts.Phase.ENDED
                                : PodFacts.Phase.PENDING,
                deletion != null,
                overdue && node != null && look.apply(node, pod).lost(),
                node == null && deletion == null ? waiting(pod, look) : Optional.empty(),
                light(pod));
    }

    private static String light(Pod pod) {
        @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : requireNonNullElse(annotations.get(LightpathAnnotations.LIGHT), "");
    }

    private static Optional<PodFacts.Waiting> waiting(Pod pod, BiFunction<String, Pod, NodeStanding> look) {
        return Optional.of(PodUse.of(pod))
                .filter(PodUse::occupies)
                .flatMap(PodUse::node)
                .map(node -> {
                    NodeStanding standing = look.apply(node, pod);
                    return new PodFacts.Waiting(
                            node,
                            standing.down(),
                            standing.barred(),
                            pod.getMetadata().getResourceVersion());
                });
    }

    private static OptionalInt rank(Pod pod, FirstRanks firstRanks) {
        OptionalInt index = number(pod, JobSets.COMPLETION_INDEX);
        return index.isEmpty()
                ? OptionalInt.empty()
                : firstRanks.of(number(pod, JobSets.GLOBAL_INDEX_LABEL).orElse(0), index.getAsInt());
    }

    private static OptionalInt number(Pod pod, String key) {
        @Nullable String word = null;
        @Nullable Map<String, String> labels = pod.getMetadata().getLabels();
        @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (labels != null) {
            word = labels.get(key);
        }
        if (word == null && annotations != null) {
            word = annotations.get(key);
        }
        return word == null || !word.matches("[0-9]{1,9}")
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(word));
    }

    private static Optional<WorkloadFacts.Ending> ending(JsonNode workload) {
        for (JsonNode condition : workload.path("status").path("conditions")) {
            String type = condition.path("type").asText();
            if (!condition.path("status").asText().equals("True")) {
                continue;
            }
            if (ENDED_WELL.contains(type)) {
                return Optional.of(
                        new WorkloadFacts.Ending(true, Reason.JOB_COMPLETED.word(), "the workload completed"));
            }
            if (type.equals("Failed")) {
                Reason reason = condition.path("reason").asText().equals("ReachedMaxRestarts")
                        ? Reason.MAX_RESTARTS
                        : Reason.JOB_FAILED;
                return Optional.of(new WorkloadFacts.Ending(
                        false,
                        reason.word(),
                        "the workload failed: " + condition.path("message").asText("no message")));
            }
        }
        return Optional.empty();
    }

    private static List<JsonNode> jobs(JsonNode workload, WorkerJobs workers) {
        if (!isJobSet(workload)) {
            return List.of(workload);
        }
        List<JsonNode> jobs = new ArrayList<>();
        Iterator<Boolean> compute = workers.of(workload).iterator();
        for (JsonNode replicated : workload.path("spec").path("replicatedJobs")) {
            if (compute.next()) {
                jobs.add(replicated.path("template"));
            }
        }
        return jobs;
    }

    /** Pod templates of the workers of a JobSet or Job. */
    public static List<JsonNode> templates(JsonNode workload, WorkerJobs workers) {
        return jobs(workload, workers).stream()
                .map(job -> job.path("spec").path("template"))
                .toList();
    }

    private static boolean isJobSet(JsonNode workload) {
        return workload.path("kind").asText().equals(JobSets.KIND);
    }
}
