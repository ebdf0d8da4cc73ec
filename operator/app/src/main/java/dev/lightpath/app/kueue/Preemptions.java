package dev.lightpath.app.kueue;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which Workloads took quota from others, as Kueue tells those that lost it. Kept for each that lost quota and is still
 * there: who took it last. From any thread.
 */
public final class Preemptions {
    /**
     * From a preemption to the quota for which it was made: the victim's pods have to end. It is also the longest time
     * for which {@link Workloads} keeps a Workload from its queue.
     */
    private static final Duration LONGEST = Duration.ofHours(1);

    /** In the message of the condition, also after it is no longer True. */
    private static final Pattern PREEMPTOR = Pattern.compile("to accommodate a workload \\(UID: ([0-9a-f-]{36})[,)]");

    private record Preemption(String by, Instant at) {}

    private final Map<String, Preemption> byVictim = new ConcurrentHashMap<>();

    /** A Workload, as a watch shows it. */
    public void saw(GenericKubernetesResource workload) {
        String uid = workload.getMetadata().getUid();
        read(workload).ifPresentOrElse(found -> byVictim.put(uid, found), () -> byVictim.remove(uid));
    }

    /** It is deleted: nobody takes anything from it again. */
    public void gone(String uid) {
        byVictim.remove(uid);
    }

    /** Whether a Workload took quota from others to have its own. O(Workloads that lost quota). */
    public boolean made(QueuedWorkload workload) {
        Instant reserved = workload.reservedAt().orElse(Instant.MAX);
        return byVictim.values().stream()
                .anyMatch(preemption -> preemption.by().equals(workload.uid())
                        && preemption.at().plus(LONGEST).isAfter(reserved));
    }

    /** Once the victim has quota again the time is that of this quota. */
    private static Optional<Preemption> read(GenericKubernetesResource workload) {
        return workload.get("status", "conditions") instanceof List<?> conditions
                ? conditions.stream()
                        .filter(condition ->
                                condition instanceof Map<?, ?> entry && "Preempted".equals(entry.get("type")))
                        .flatMap(condition -> read((Map<?, ?>) condition).stream())
                        .findFirst()
                : Optional.empty();
    }

    private static Optional<Preemption> read(Map<?, ?> preempted) {
        Matcher preemptor = PREEMPTOR.matcher(String.valueOf(preempted.get("message")));
        return preemptor.find()
                ? Optional.of(new Preemption(
                        preemptor.group(1), QueuedWorkload.time(String.valueOf(preempted.get("lastTransitionTime")))))
                : Optional.empty();
    }
}
