package dev.lightpath.app.job.workload;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ranks of pods whose workload has no completion index: by {@link PodOrder}, once exactly as many are there as the job
 * has nodes. A pod that was let go keeps its rank, and one that replaces another takes the rank that is free.
 */
public final class PodRanks {
    private PodRanks() {}

    /**
     * O(pods log pods).
     *
     * @param workers pods that train
     * @param nodes of the job; 0 while it has no place
     * @param attempt the job's present one
     * @return by name of the pod; pods that are not in it have no rank
     */
    public static Map<String, Integer> of(List<Pod> workers, int nodes, int attempt) {
        List<Pod> live = workers.stream().filter(PodRanks::isLive).toList();
        Map<String, Integer> ranks = new HashMap<>();
        BitSet taken = new BitSet();
        for (Pod pod : live) {
            held(pod, attempt).ifPresent(rank -> {
                if (rank < nodes && !taken.get(rank)) {
                    taken.set(rank);
                    ranks.put(pod.getMetadata().getName(), rank);
                }
            });
        }
        if (live.size() != nodes) {
            return ranks;
        }
        PrimitiveIterator.OfInt free =
                IntStream.range(0, nodes).filter(rank -> !taken.get(rank)).iterator();
        live.stream()
                .filter(pod -> !ranks.containsKey(pod.getMetadata().getName()))
                .sorted(Comparator.comparing(PodOrder::of))
                .toList()
                .forEach(pod -> ranks.put(pod.getMetadata().getName(), free.nextInt()));
        return ranks;
    }

    private static boolean isLive(Pod pod) {
        @Nullable
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return pod.getMetadata().getDeletionTimestamp() == null
                && !"Succeeded".equals(phase)
                && !"Failed".equals(phase);
    }

    /** The rank that it was let go with. Anybody may write one on a pod that still waits. */
    private static OptionalInt held(Pod pod, int attempt) {
        @Nullable Map<String, String> labels = pod.getMetadata().getLabels();
        @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (PodPatch.gate(pod) >= 0
                || labels == null
                || annotations == null
                || !Integer.toString(attempt).equals(labels.get(LightpathLabels.ATTEMPT))) {
            return OptionalInt.empty();
        }
        @Nullable String rank = annotations.get(LightpathAnnotations.RANK);
        return rank == null || !rank.matches("[0-9]{1,9}")
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(rank));
    }
}
