package dev.lightpath.planner.world;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who uses the light of a job. */
public sealed interface Workload {
    /**
     * Somebody else's pods, if any: light moves on a health key alone.
     *
     * @param holding nodes whose GPUs pods hold that say they are of the job
     */
    record LightOnly(SortedSet<String> holding) implements Workload {
        /** Of which no pod is known. */
        public LightOnly() {
            this(Collections.emptySortedSet());
        }

        public LightOnly {
            holding = Collections.unmodifiableSortedSet(new TreeSet<>(holding));
        }
    }

    /**
     * Pods we know.
     *
     * @param occupied nodes with an un-gated pod of the job that has not ended
     * @param restarting whether pods are terminating or failed, or the JobSet restarts: the workload key
     * @param ranks where those of them run that were given a rank, by rank
     * @param holding nodes whose GPUs such pods hold, those of other attempts too, which use no light of this one
     */
    record Pods(
            SortedSet<String> occupied, boolean restarting, SortedMap<Integer, String> ranks, SortedSet<String> holding)
            implements Workload {
        /** Pods of one attempt, each with GPUs. */
        public Pods(SortedSet<String> occupied, boolean restarting, SortedMap<Integer, String> ranks) {
            this(occupied, restarting, ranks, occupied);
        }

        /** Pods without ranks. */
        public Pods(SortedSet<String> occupied, boolean restarting) {
            this(occupied, restarting, new TreeMap<>());
        }

        public Pods {
            ranks = Collections.unmodifiableSortedMap(new TreeMap<>(ranks));
            occupied = Collections.unmodifiableSortedSet(new TreeSet<>(occupied));
            holding = Collections.unmodifiableSortedSet(new TreeSet<>(holding));
        }
    }

    /** Nodes whose GPUs its pods hold, wherever its light is. */
    SortedSet<String> holding();

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
