package dev.lightpath.planner.world;

import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What runs on the circuits of a job. */
public sealed interface Workload {
    /**
     * No workload in the job; pods may exist beside it. A health key is enough to move circuits.
     *
     * @param holding nodes whose GPUs pods with the job's label hold
     */
    record LightOnly(SortedSet<String> holding) implements Workload {
        /** Without any known pod. */
        public LightOnly() {
            this(Collections.emptySortedSet());
        }

        public LightOnly {
            holding = Collections.unmodifiableSortedSet(new TreeSet<>(holding));
        }
    }

    /**
     * The pods of the job.
     *
     * @param occupied nodes with an un-gated pod of the job that has not ended
     * @param restarting whether pods are terminating or failed, or the JobSet restarts: the workload key
     * @param ranks nodes of the pods that have a rank, by rank
     * @param holding nodes whose GPUs such pods hold, including pods of other attempts, which use no circuit of this
     *     one
     * @param replicas of how many replicas of an elastic job they are, as the job says; empty where it does not
     */
    record Pods(
            SortedSet<String> occupied,
            boolean restarting,
            SortedMap<Integer, String> ranks,
            SortedSet<String> holding,
            OptionalInt replicas)
            implements Workload {
        /** Pods of a job that does not say how many replicas it has. */
        public Pods(
                SortedSet<String> occupied,
                boolean restarting,
                SortedMap<Integer, String> ranks,
                SortedSet<String> holding) {
            this(occupied, restarting, ranks, holding, OptionalInt.empty());
        }

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

    /**
     * Whether circuits may move under this workload without waiting for it: no pod runs, or all running pods are
     * stopping.
     */
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
