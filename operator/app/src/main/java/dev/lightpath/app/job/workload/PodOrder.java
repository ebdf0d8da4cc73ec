package dev.lightpath.app.job.workload;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod stands among those of its workload, as the labels of its controller say it: first its part (the leader
 * before workers, one group before the next), then its number there. Pods without a number stand in the order of the
 * number at the end of their name, or of their name.
 */
record PodOrder(int part, int number, String name) implements Comparable<PodOrder> {
    /** A part by number: the Job of a JobSet, the group of a LeaderWorkerSet. */
    private static final List<String> NUMBERED_PARTS =
            List.of("jobset.sigs.k8s.io/job-global-index", "leaderworkerset.sigs.k8s.io/group-index");
    /** A part by name: of PyTorchJobs and MPIJobs, and of RayClusters. */
    private static final List<String> NAMED_PARTS = List.of("training.kubeflow.org/replica-type", "ray.io/node-type");

    private static final List<String> LEADERS = List.of("master", "launcher", "head");

    private static final List<String> NUMBERS = List.of(
            "batch.kubernetes.io/job-completion-index",
            "leaderworkerset.sigs.k8s.io/worker-index",
            "training.kubeflow.org/replica-index",
            "apps.kubernetes.io/pod-index");

    private static final Pattern ENDS_WITH_NUMBER = Pattern.compile("-([0-9]{1,9})$");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private static final Comparator<PodOrder> ORDER = Comparator.comparingInt(PodOrder::part)
            .thenComparingInt(PodOrder::number)
            .thenComparing(PodOrder::name);

    static PodOrder of(Pod pod) {
        String name = pod.getMetadata().getName();
        return new PodOrder(
                number(pod, NUMBERED_PARTS).orElseGet(() -> isLeader(pod) ? 0 : 1),
                number(pod, NUMBERS).orElseGet(() -> atTheEndOf(name)),
                name);
    }

    private static boolean isLeader(Pod pod) {
        return NAMED_PARTS.stream().anyMatch(key -> LEADERS.contains(labels(pod).getOrDefault(key, "")));
    }

    private static Optional<Integer> number(Pod pod, List<String> keys) {
        return keys.stream()
                .map(key -> labels(pod).getOrDefault(key, ""))
                .filter(word -> NUMBER.matcher(word).matches())
                .findFirst()
                .map(Integer::valueOf);
    }

    private static int atTheEndOf(String name) {
        Matcher end = ENDS_WITH_NUMBER.matcher(name);
        return end.find() ? Integer.parseInt(end.group(1)) : 0;
    }

    private static Map<String, String> labels(Pod pod) {
        @Nullable Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    @Override
    public int compareTo(PodOrder other) {
        return ORDER.compare(this, other);
    }
}
