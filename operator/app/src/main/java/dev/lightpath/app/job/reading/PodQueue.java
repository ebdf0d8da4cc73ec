package dev.lightpath.app.job.reading;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.kueue.Kueue;
import dev.lightpath.app.kueue.QueuedWorkload;
import dev.lightpath.app.kueue.Workloads;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queue of pods that Kueue holds back each behind a gate of its own, as those of a LeaderWorkerSet or of nobody.
 *
 * @param held whether Kueue holds any
 * @param workloads by which it admits them; none where it has not made them yet, or the operator knows no Kueue
 * @param waits whether their pods may not run yet
 * @param split whether it admits them in parts: light is given to all pods of a job or to none, and so must be quota
 */
record PodQueue(boolean held, List<QueuedWorkload> workloads, boolean waits, boolean split) {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    PodQueue {
        workloads = List.copyOf(workloads);
    }

    /** Of pods that an object makes. */
    static PodQueue of(Workloads queued, JsonNode object, List<JsonNode> templates, List<Pod> pods) {
        return templates.stream().noneMatch(Kueue::holdsPods)
                ? none()
                : of(
                        queued.all(
                                object.at("/metadata/namespace").asText(),
                                List.of(object.at("/metadata/uid").asText())),
                        pods,
                        1);
    }

    /** Of pods that are a workload by their label alone. */
    static PodQueue of(Workloads queued, String namespace, List<Pod> pods) {
        List<Pod> present = present(pods.stream().filter(Kueue::holds).toList());
        long parts = present.stream()
                .map(pod -> Kueue.group(pod)
                        .map(group -> "group " + group)
                        .orElseGet(() -> pod.getMetadata().getName()))
                .distinct()
                .count();
        return present.isEmpty() ? none() : of(queued.ofPods(namespace, present), present, parts);
    }

    private static PodQueue none() {
        return new PodQueue(false, List.of(), false, false);
    }

    /**
     * Those that run or will; where there are none, those that go. Kueue ends all pods of a group that it preempts at
     * once.
     */
    private static List<Pod> present(List<Pod> held) {
        Predicate<Pod> goes = pod -> pod.getMetadata().getDeletionTimestamp() != null;
        return Stream.of(goes.or(PodQueue::ended).negate(), goes)
                .map(which -> held.stream().filter(which).toList())
                .filter(pods -> !pods.isEmpty())
                .findFirst()
                .orElse(held);
    }

    private static boolean ended(Pod pod) {
        @Nullable PodStatus status = pod.getStatus();
        @Nullable String phase = status == null ? null : status.getPhase();
        return phase != null && ENDED.contains(phase);
    }

    /** @param parts in which pods may be admitted, as far as they say it */
    private static PodQueue of(List<QueuedWorkload> workloads, List<Pod> pods, long parts) {
        return new PodQueue(
                true,
                workloads,
                workloads.isEmpty()
                        ? pods.isEmpty() || pods.stream().anyMatch(Kueue::isGated)
                        : !workloads.stream().allMatch(QueuedWorkload::runs),
                workloads.size() > 1 || parts > 1 && !workloads.isEmpty());
    }

    WorkloadFacts.Run of(WorkloadFacts.Run run) {
        return held ? run.held(waits, waits ? workloads.stream().findFirst() : Optional.empty()) : run;
    }
}
