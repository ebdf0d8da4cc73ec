package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.Page;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.PodOwnership;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows the pods of one job to who made them, on the API server: pod, Job, JobSet.
 *
 * @param workload name of the JobSet or Job that makes the pods
 * @param found it as the API server has it, empty when it is not there
 */
public record PodChain(KubernetesClient client, TrainingJob job, String workload, Optional<JsonNode> found) {
    /**
     * So many Jobs are read by their names. A list may wait until the API server has caught up, a single object does
     * not.
     */
    private static final int FEW = 4;

    /** Of these pods, those that are the job's. A gated one is let go on proof only. */
    public List<Pod> own(List<Pod> pods) {
        Map<String, Optional<Controller>> jobs = jobs(pods);
        return pods.stream()
                .filter(pod -> PodOwnership.mayBe(job, Controller.of(pod), jobs)
                        && (PodPatch.gate(pod) < 0 || isProved(pod, jobs)))
                .toList();
    }

    /** Of these pods, those of the JobSet that was made for the job, whatever workload that names now. */
    public List<Pod> made(List<Pod> pods) {
        Map<String, Optional<Controller>> jobs = jobs(pods);
        return pods.stream()
                .filter(pod -> PodOwnership.isMadeFor(job, Controller.of(pod), jobs))
                .toList();
    }

    private Map<String, Optional<Controller>> jobs(List<Pod> pods) {
        Map<String, Optional<Controller>> jobs = new HashMap<>();
        if (pods.isEmpty() || !isJobSet()) {
            return jobs;
        }
        Map<String, Controller> makers = new LinkedHashMap<>();
        pods.forEach(pod -> Controller.of(pod)
                .filter(controller -> controller.kind().equals("Job"))
                .ifPresent(controller -> makers.put(controller.uid(), controller)));
        if (makers.size() > FEW) {
            Page.all(client.batch().v1().jobs().inNamespace(namespace()).withLabel(JobSets.NAME_LABEL, workload))
                    .forEach(each -> jobs.put(each.getMetadata().getUid(), Controller.of(each)));
        }
        makers.values().stream().filter(maker -> !jobs.containsKey(maker.uid())).forEach(maker -> read(maker, jobs));
        return jobs;
    }

    private String namespace() {
        return job.getMetadata().getNamespace();
    }

    private boolean isJobSet() {
        return found.isEmpty() || found.get().path("kind").asText().equals(JobSets.KIND);
    }

    private void read(Controller controller, Map<String, Optional<Controller>> jobs) {
        @Nullable
        Job there = client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace())
                .withName(controller.name())
                .get();
        if (there != null && there.getMetadata().getUid().equals(controller.uid())) {
            jobs.put(controller.uid(), Controller.of(there));
        }
    }

    private boolean isProved(Pod pod, Map<String, Optional<Controller>> jobs) {
        String top = found.map(object -> object.path("metadata").path("uid").asText())
                .orElse("");
        Optional<Controller> of = Controller.of(pod);
        return (isJobSet() ? of.flatMap(each -> jobs.getOrDefault(each.uid(), Optional.empty())) : of)
                .filter(each -> each.uid().equals(top))
                .isPresent();
    }
}
