package dev.lightpath.planner.world;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who uses the light of a job. */
public sealed interface Workload {
    /** Somebody else's pods, if any: light moves on a health key alone. */
    record LightOnly() implements Workload {}

    /**
     * Pods we know.
     *
     * @param occupied nodes with an un-gated pod of the job that has not ended
     * @param restarting whether pods are terminating or failed, or the JobSet restarts: the workload key
     * @param ranks where those of them run that were given a rank, by rank
     * @param others nodes with such a pod of another attempt: it uses no light of this one, but the node's GPUs
     */
    record Pods(
            SortedSet<String> occupied, boolean restarting, SortedMap<Integer, String> ranks, SortedSet<String> others)
            implements Workload {
        /** Pods of one attempt. */
        public Pods(SortedSet<String> occupied, boolean restarting, SortedMap<Integer, String> ranks) {
            this(occupied, restarting, ranks, Collections.emptySortedSet());
        }

        /** Pods without ranks. */
        public Pods(SortedSet<String> occupied, boolean restarting) {
            this(occupied, restarting, new TreeMap<>());
        }

        public Pods {
            ranks = Collections.unmodifiableSortedMap(new TreeMap<>(ranks));
            occupied = Collections.unmodifiableSortedSet(new TreeSet<>(occupied));
            others = Collections.unmodifiableSortedSet(new TreeSet<>(others));
        }
    }

    /** Whether light may move under this workload without asking it: nothing runs, or what runs is going down. */
    default boolean letsLightMove() {
        return switch (this) {
            case LightOnly none -> true;
            case Pods pods -> pods.restarting() || pods.occupied().isEmpty();
        };
    }

    /** Whether any pod may still be using the light. */
    default boolean usesLight() {
        return switch (this) {
            case LightOnly none -> false;
            case Pods pods -> !pods.occupied().isEmpty();
        };
    }
}
