package dev.lightpath.app.kueue;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.Patches;
import dev.lightpath.app.objects.ConditionalWrite;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Workloads of Kueue on the API server: read, and answered. From any thread. */
public final class Workloads {
    /** Seconds until a Workload that had no place is tried again; twice as long after each try. */
    private static final int FIRST_RETRY_SECONDS = 10;

    private static final int LONGEST_RETRY_SECONDS = 60;

    /** Of a try that costs others their quota; twice as long after each, too. */
    private static final int FIRST_COSTLY_RETRY_SECONDS = 600;

    private static final int LONGEST_COSTLY_RETRY_SECONDS = 3600;

    /** Groups that show whether a job is admitted in parts. */
    private static final int SEVERAL = 2;

    /** UIDs in one request. Each of so many pods without a group gets an answer. */
    private static final int MOST_ASKED = 20;

    private static final Duration SOON = Duration.ofSeconds(1);

    /** Whether one is still refused. */
    private static final Duration REFUSED_AGAIN = Duration.ofSeconds(30);

    private static final Map<String, Object> FORGOTTEN =
            Map.of("op", "remove", "path", "/metadata/annotations/" + LightpathAnnotations.NO_PLACE.replace("/", "~1"));
    private static final PatchContext MERGE_PATCH = Patches.merge(FieldManager.WORKLOAD);

    private static final Comparator<QueuedWorkload> FIRST = Comparator.comparing(
                    (QueuedWorkload workload) -> workload.checks().isEmpty())
            .thenComparing(workload -> !workload.asks())
            .thenComparing(workload -> workload.parked().map(NoPlace::until).orElse(Instant.MAX));

    private final KubernetesClient client;
    private final Supplier<Optional<Set<String>>> ours;

    /** @param ours names of the AdmissionChecks that the operator answers; empty while Kueue is not installed */
    public Workloads(KubernetesClient client, Supplier<Optional<Set<String>>> ours) {
        this.client = client;
        this.ours = ours;
    }

    /** Where Kueue is not installed: nothing is asked of the API server. */
    public static Workloads none(KubernetesClient client) {
        return new Workloads(client, Optional::empty);
    }

    /** Whether Kueue is installed. */
    public boolean isThere() {
        return ours.get().isPresent();
    }

    /**
     * The Workload of a JobSet or Job, of several the one with a check of ours; empty without one.
     *
     * @param uid of that object
     */
    public Optional<QueuedWorkload> of(String namespace, String uid) {
        return all(namespace, List.of(uid)).stream().findFirst();
    }

    /**
     * The Workloads of objects: those with a check of ours first, and of these the ones that ask, then those that are
     * tried again soonest.
     *
     * @param uids of the objects
     */
    public List<QueuedWorkload> all(String namespace, List<String> uids) {
        Optional<Set<String>> checks = ours.get();
        if (checks.isEmpty() || uids.isEmpty()) {
            return List.of();
        }
        return client
                .genericKubernetesResources(Kueue.WORKLOADS)
                .inNamespace(namespace)
                .withLabelIn(Kueue.JOB_UID_LABEL, uids.toArray(String[]::new))
                .list()
                .getItems()
                .stream()
                .map(found -> read(found, checks.get()))
                .sorted(FIRST)
                .toList();
    }

    /**
     * The Workloads of pods that Kueue admits in groups, or one by one; in the same order. As far as few requests show:
     * whether there is more than one, and one with a check of ours.
     */
    public List<QueuedWorkload> ofPods(String namespace, List<Pod> pods) {
        if (ours.get().isEmpty()) {
            return List.of();
        }
        List<String> alone = pods.stream()
                .filter(pod -> Kueue.group(pod).isEmpty())
                .map(pod -> pod.getMetadata().getUid())
                .toList();
        Stream<QueuedWorkload> grouped = pods.stream()
                .flatMap(pod -> Kueue.group(pod).stream())
                .distinct()
                .limit(SEVERAL)
                .flatMap(group -> named(namespace, group).stream())
                .filter(workload -> pods.stream().anyMatch(workload::holds));
        return Stream.concat(some(namespace, alone).stream(), grouped)
                .sorted(FIRST)
                .toList();
    }

    /** Of many objects, those of the first that have any. */
    private List<QueuedWorkload> some(String namespace, List<String> uids) {
        List<QueuedWorkload> first =
                all(namespace, uids.stream().limit(MOST_ASKED).toList());
        return first.isEmpty()
                ? all(
                        namespace,
                        uids.stream().skip(MOST_ASKED).limit(MOST_ASKED).toList())
                : first;
    }

    /** One by its name; empty when it is gone. */
    Optional<QueuedWorkload> named(String namespace, String name) {
        return Optional.ofNullable(client.genericKubernetesResources(Kueue.WORKLOADS)
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .map(found -> read(found, ours.get().orElse(Set.of())));
    }

    QueuedWorkload read(GenericKubernetesResource workload, Set<String> checks) {
        return QueuedWorkload.read(
                requireNonNull(client.getKubernetesSerialization().convertValue(workload, JsonNode.class)),
                checks,
                LightpathNames.SCHEDULING_GATE);
    }

    /**
     * Writes the answer to each check of ours that says otherwise, over the very version that was read: an answer to an
     * earlier reservation of quota would count for the next one. A Workload that is to retry also leaves its queue for
     * a while, by {@code spec.active}: with {@code requeueAfterSeconds} Kueue 0.19 keeps its quota for all that time,
     * and without it Kueue reserves quota again at once.
     *
     * @return false when the API server has something newer
     */
    public boolean answer(QueuedWorkload workload, CheckAnswer answer, Instant now) {
        List<Map<String, Object>> patch = new ArrayList<>();
        int retries = 0;
        for (QueuedWorkload.Check check : workload.checks()) {
            retries = Math.max(retries, check.retries());
            if (!check.says(answer)) {
                patch.add(operation("replace", "/status/admissionChecks/" + check.index(), entry(check, answer, now)));
            }
        }
        if (patch.isEmpty()) {
            return true;
        }
        patch.addFirst(operation("test", "/metadata/resourceVersion", workload.version()));
        boolean current = ConditionalWrite.isCurrent(() ->
                of(workload).subresource("status").patch(ConditionalWrite.JSON_PATCH, Serialization.asJson(patch)));
        if (!current || answer.state() != CheckState.RETRY) {
            return current;
        }
        Instant until = now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(retrySeconds(retries, answer.costly()));
        return ConditionalWrite.isCurrent(() -> of(workload)
                .patch(
                        MERGE_PATCH,
                        Serialization.asJson(Map.of(
                                "metadata",
                                Map.of(
                                        "annotations",
                                        Map.of(
                                                LightpathAnnotations.NO_PLACE,
                                                new NoPlace(until, answer.message()).annotation())),
                                "spec",
                                Map.of("active", false)))));
    }

    /**
     * Lets one that had no place back into its queue once it is time, and tells in its check what it waits for until
     * then.
     *
     * @param refused whether its job would be refused again: its queue might take quota from others for it
     * @param lacksGpus whether there are too few GPUs for it, whoever has them: the same
     * @return when to look again
     */
    public Duration tend(QueuedWorkload workload, NoPlace noPlace, boolean refused, boolean lacksGpus, Instant now) {
        Duration left = Duration.between(now, noPlace.until());
        if (!left.isPositive() && (refused || lacksGpus)) {
            left = REFUSED_AGAIN;
        }
        if (!left.isPositive()) {
            ConditionalWrite.isCurrent(() -> of(workload)
                    .patch(
                            ConditionalWrite.JSON_PATCH,
                            Serialization.asJson(List.of(
                                    operation("test", "/metadata/resourceVersion", workload.version()),
                                    operation("replace", "/spec/active", true),
                                    FORGOTTEN))));
            return SOON;
        }
        boolean given = workload.reservedAt().isEmpty()
                && workload.checks().stream().allMatch(check -> check.state() == CheckState.PENDING);
        return given && !answer(workload, CheckAnswer.pending(noPlace.told(lacksGpus)), now) ? SOON : left;
    }

    /** That it had no place counts no more, unless somebody wrote it since. */
    void forget(QueuedWorkload workload) {
        ConditionalWrite.isCurrent(() -> of(workload)
                .patch(
                        ConditionalWrite.JSON_PATCH,
                        Serialization.asJson(List.of(
                                operation("test", "/metadata/resourceVersion", workload.version()), FORGOTTEN))));
    }

    private Resource<GenericKubernetesResource> of(QueuedWorkload workload) {
        return client.genericKubernetesResources(Kueue.WORKLOADS)
                .inNamespace(workload.namespace())
                .withName(workload.name());
    }

    private static Map<String, Object> operation(String what, String path, @Nullable Object value) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("op", what);
        operation.put("path", path);
        operation.put("value", value);
        return operation;
    }

    private static Map<String, Object> entry(QueuedWorkload.Check check, CheckAnswer answer, Instant now) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", check.name());
        entry.put("state", answer.state().word());
        entry.put("message", answer.message());
        entry.put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        if (check.retries() > 0) {
            entry.put("retryCount", check.retries());
        }
        return entry;
    }

    /** O(1). */
    static int retrySeconds(int retries, boolean costly) {
        int first = costly ? FIRST_COSTLY_RETRY_SECONDS : FIRST_RETRY_SECONDS;
        int longest = costly ? LONGEST_COSTLY_RETRY_SECONDS : LONGEST_RETRY_SECONDS;
        return Math.min(longest, first << Math.clamp(retries, 0, 10));
    }
}
