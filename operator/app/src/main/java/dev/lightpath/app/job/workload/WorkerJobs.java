package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.planner.words.Words;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which Jobs of a workload have workers: pods with a rank, a node of the job and light. A JobSet may have others beside
 * them, as a launcher or an initializer. Workers are those that the reference names; if it names none, those whose pods
 * ask for GPUs; if none asks for any, all.
 *
 * @param named replicated jobs of a JobSet; empty: by GPUs
 * @param gpuResource extended resource that counts GPUs
 */
public record WorkerJobs(Set<String> named, String gpuResource) {
    /** All have workers. */
    public static final WorkerJobs ALL = new WorkerJobs(Set.of(), "");

    public WorkerJobs {
        named = Set.copyOf(named);
    }

    public static WorkerJobs of(WorkloadReference reference, String gpuResource) {
        return new WorkerJobs(Set.copyOf(reference.replicatedJobs()), gpuResource);
    }

    /** Whether each replicated job of a JobSet has workers, in their order; of a Job alone it has. */
    List<Boolean> of(JsonNode workload) {
        if (!isJobSet(workload)) {
            return List.of(true);
        }
        List<Boolean> workers = new ArrayList<>();
        for (JsonNode replicated : workload.path("spec").path("replicatedJobs")) {
            workers.add(
                    named.isEmpty()
                            ? asksForGpus(replicated)
                            : named.contains(replicated.path("name").asText()));
        }
        return named.isEmpty() && !workers.contains(true)
                ? workers.stream().map(none -> true).toList()
                : List.copyOf(workers);
    }

    private boolean asksForGpus(JsonNode replicated) {
        for (JsonNode container : replicated.at("/template/spec/template/spec/containers")) {
            if (GpuLimit.of(container, gpuResource).orElse(0) > 0) {
                return true;
            }
        }
        return false;
    }

    /** What is wrong with the names, with what there is, or with the templates of pods. */
    public Optional<String> problem(JsonNode workload) {
        Set<String> there = new TreeSet<>();
        workload.path("spec")
                .path("replicatedJobs")
                .forEach(replicated -> there.add(replicated.path("name").asText()));
        return named.stream()
                .sorted()
                .filter(name -> !there.contains(name))
                .findFirst()
                .map(name -> "spec.workload.ref.replicatedJobs: JobSet "
                        + workload.path("metadata").path("name").asText() + " has no replicated job " + name
                        + "; it has " + String.join(", ", there))
                .or(() -> undivided(workload))
                .or(() -> unindexed(workload))
                .or(() -> templates(workload).stream()
                        .map(PodPlace::problem)
                        .flatMap(Optional::stream)
                        .findFirst()
                        .map(problem ->
                                "spec.workload.ref: " + workload.path("kind").asText() + " "
                                        + workload.at("/metadata/name").asText() + ": " + problem));
    }

    /** All have workers for want of GPUs, though only some have the gate: the others are launchers, most likely. */
    private Optional<String> undivided(JsonNode workload) {
        List<String> ungated = WorkloadReading.ungated(workload, this);
        JsonNode replicated = workload.at("/spec/replicatedJobs");
        for (JsonNode each : replicated) {
            if (!named.isEmpty() || gpuResource.isEmpty() || asksForGpus(each)) {
                return Optional.empty();
            }
        }
        return ungated.isEmpty() || ungated.size() == replicated.size()
                ? Optional.empty()
                : Optional.of("spec.workload.ref: JobSet "
                        + workload.at("/metadata/name").asText() + ": no container asks for " + gpuResource
                        + ", so pods without the gate (" + Words.sorted(ungated) + ") count as pods that train: set"
                        + " resources.limits of those that do, or name them in spec.workload.ref.replicatedJobs");
    }

    /** A Job is NonIndexed unless it says otherwise, one of a JobSet Indexed. */
    private Optional<String> unindexed(JsonNode workload) {
        String title = workload.path("kind").asText() + " "
                + workload.at("/metadata/name").asText();
        List<String> found = new ArrayList<>();
        if (isJobSet(workload)) {
            Iterator<Boolean> workers = of(workload).iterator();
            for (JsonNode replicated : workload.at("/spec/replicatedJobs")) {
                if (workers.next() && isUnindexed(replicated.path("template"))) {
                    found.add("replicated job " + replicated.path("name").asText() + " of " + title);
                }
            }
        } else if (isUnindexed(workload)) {
            found.add(title);
        }
        return found.stream()
                .findFirst()
                .map(job -> "spec.workload.ref: " + job + " has completionMode NonIndexed, so its pods have no rank:"
                        + " make it anew with completionMode: Indexed");
    }

    private static boolean isUnindexed(JsonNode job) {
        return job.at("/spec/completionMode").asText().equals("NonIndexed");
    }

    private static List<JsonNode> templates(JsonNode workload) {
        if (!isJobSet(workload)) {
            return List.of(workload.at("/spec/template"));
        }
        List<JsonNode> templates = new ArrayList<>();
        workload.at("/spec/replicatedJobs")
                .forEach(replicated -> templates.add(replicated.at("/template/spec/template")));
        return templates;
    }

    private static boolean isJobSet(JsonNode workload) {
        return workload.path("kind").asText().equals(JobSets.KIND);
    }
}
