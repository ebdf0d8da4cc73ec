package dev.lightpath.benchmarks.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When a watch showed what of jobs, as {@link System#nanoTime} has it. */
final class QueueTimes implements AutoCloseable {
    /** On pods of TrainingJobs: the job. */
    static final String JOB = "lightpath.dev/job";

    /** On pods of JobSets: the JobSet. */
    static final String JOB_SET = "jobset.sigs.k8s.io/jobset-name";

    private static final String NAMESPACE = "default";

    private enum Moment {
        /** Quota was reserved. */
        QUOTA,
        /** The AdmissionCheck is Ready: nodes are given, light burns and is qualified. */
        LIGHT,
        /** Its JobSet may run. */
        ADMITTED,
        /** The last of its pods was made, by the controllers of JobSet and Job. */
        PODS_MADE,
        /** The last of its pods lost the gate of the operator. */
        GATES_GONE,
        /** The last of its pods has a node, by the scheduler. */
        BOUND,
        /** The last of its pods runs, by the kubelet. */
        RUNNING,
        /** All its pods run, as its condition says. */
        READY,
        /** The last of its pods went. */
        LAST_POD_GONE
    }

    private record Key(String job, Moment moment) {}

    private final ConcurrentMap<Key, Long> seen = new ConcurrentHashMap<>();
    /** Jobs of the pods that are there, by the pods' UIDs. */
    private final ConcurrentMap<String, String> pods = new ConcurrentHashMap<>();

    /** What each pod, by its UID, has come to. */
    private final Set<Key> reached = ConcurrentHashMap.newKeySet();

    private final String label;
    private final List<Watch> watches;

    /** @param label of pods: its value is their job */
    QueueTimes(KubernetesClient client, String label) {
        this.label = label;
        this.watches = List.of(
                client.genericKubernetesResources("kueue.x-k8s.io/v1beta2", "Workload")
                        .inNamespace(NAMESPACE)
                        .watch(each((action, workload) ->
                                workload(Serialization.jsonMapper().valueToTree(workload)))),
                client.resources(TrainingJob.class).inNamespace(NAMESPACE).watch(each((action, job) -> job(job))),
                client.pods().inNamespace(NAMESPACE).withLabel(label).watch(each(this::pod)));
    }

    private static <T extends HasMetadata> Watcher<T> each(BiConsumer<Watcher.Action, T> what) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                what.accept(action, object);
            }

            @Override
            public void onClose(WatcherException cause) {
                throw new IllegalStateException("a watch ended", cause);
            }
        };
    }

    private void workload(JsonNode workload) {
        String owner = workload.at("/metadata/ownerReferences/0/name").asText();
        // the operator names a JobSet after its job, an attempt and a digest
        String job = owner.replaceFirst("-.*", "");
        for (JsonNode condition : workload.at("/status/conditions")) {
            if (condition.path("status").asText().equals("True")) {
                switch (condition.path("type").asText()) {
                    case "QuotaReserved" -> first(job, Moment.QUOTA);
                    case "Admitted" -> first(job, Moment.ADMITTED);
                    default -> {
                        // says nothing of the way to Ready
                    }
                }
            }
        }
        if (workload.at("/status/admissionChecks/0/state").asText().equals("Ready")) {
            first(job, Moment.LIGHT);
        }
    }

    private void job(TrainingJob job) {
        var status = job.getStatus();
        if (status != null
                && status.conditions() != null
                && status.conditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"))) {
            first(job.getMetadata().getName(), Moment.READY);
        }
    }

    private void pod(Watcher.Action action, Pod pod) {
        @Nullable String job = pod.getMetadata().getLabels().get(label);
        if (job == null) {
            return;
        }
        if (action == Watcher.Action.DELETED) {
            last(job, Moment.LAST_POD_GONE);
            pods.remove(pod.getMetadata().getUid());
            return;
        }
        if (pods.put(pod.getMetadata().getUid(), job) == null) {
            last(job, Moment.PODS_MADE);
        }
        if (pod.getSpec().getSchedulingGates().stream()
                .noneMatch(gate -> gate.getName().equals(LightpathNames.SCHEDULING_GATE))) {
            of(pod, job, Moment.GATES_GONE);
        }
        if (pod.getSpec().getNodeName() != null) {
            of(pod, job, Moment.BOUND);
        }
        if ("Running".equals(pod.getStatus().getPhase())) {
            of(pod, job, Moment.RUNNING);
        }
    }

    /** Of the last pod that comes there: each counts once. */
    private void of(Pod pod, String job, Moment moment) {
        if (reached.add(new Key(pod.getMetadata().getUid(), moment))) {
            last(job, moment);
        }
    }

    private void last(String job, Moment moment) {
        seen.put(new Key(job, moment), System.nanoTime());
    }

    private void first(String job, Moment moment) {
        seen.putIfAbsent(new Key(job, moment), System.nanoTime());
    }

    private OptionalLong at(String job, Moment moment) {
        Long at = seen.get(new Key(job, moment));
        return at == null ? OptionalLong.empty() : OptionalLong.of(at);
    }

    /** From quota to Ready. */
    long quotaToReady(String job) {
        return at(job, Moment.READY).orElseThrow() - at(job, Moment.QUOTA).orElseThrow();
    }

    /** From quota to the answer that the light is there. */
    long quotaToLight(String job) {
        return at(job, Moment.LIGHT).orElseThrow() - at(job, Moment.QUOTA).orElseThrow();
    }

    /** From quota to the last pod that runs. */
    long quotaToRunning(String job) {
        return at(job, Moment.RUNNING).orElseThrow() - at(job, Moment.QUOTA).orElseThrow();
    }

    /**
     * When the last pod of the job was there, let go, bound and running, and the job Ready: milliseconds since it had
     * light.
     */
    String sinceLight(String job) {
        return since(Moment.LIGHT, job, Moment.PODS_MADE, Moment.GATES_GONE, Moment.BOUND, Moment.RUNNING, Moment.READY)
                + " ms after light";
    }

    /** The same of a JobSet without light: since it may run. */
    String sinceAdmitted(String job) {
        return since(Moment.ADMITTED, job, Moment.PODS_MADE, Moment.BOUND, Moment.RUNNING) + " ms after admission";
    }

    private String since(Moment begin, String job, Moment... moments) {
        long from = at(job, begin).orElseThrow();
        return Stream.of(moments)
                .map(moment -> "%s %d"
                        .formatted(
                                moment.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                                (at(job, moment).orElseThrow() - from) / 1_000_000))
                .collect(Collectors.joining(", "));
    }

    /** From the end of the last pod of one job to the light of another. */
    long lastPodToLight(String victim, String preemptor) {
        return at(preemptor, Moment.LIGHT).orElseThrow()
                - at(victim, Moment.LAST_POD_GONE).orElseThrow();
    }

    /**
     * Whether it had quota, light, Ready and at least {@code count} running pods: watches of their own tell them, in
     * whatever order.
     */
    boolean isReady(String job, long count) {
        return at(job, Moment.LIGHT).isPresent() && at(job, Moment.READY).isPresent() && isRunning(job, count);
    }

    /** Whether it had quota, was admitted, and at least {@code count} of its pods run. */
    boolean isRunning(String job, long count) {
        return at(job, Moment.QUOTA).isPresent()
                && at(job, Moment.ADMITTED).isPresent()
                && pods.entrySet().stream()
                                .filter(pod -> pod.getValue().equals(job)
                                        && reached.contains(new Key(pod.getKey(), Moment.RUNNING)))
                                .count()
                        >= count;
    }

    /** Whether it had pods, and all have gone. */
    boolean isGone(String job) {
        return at(job, Moment.LAST_POD_GONE).isPresent() && !pods.containsValue(job);
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
    }
}
