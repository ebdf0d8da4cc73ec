package dev.lightpath.planner.ask;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Turns circuit counts, one per group of an instance, into circuits between all pods of a job. */
public sealed interface Deal permits ReplicaDeal, PairDeal {

    /**
     * A circuit count between two pods.
     *
     * @param fromReplica of the first pod
     * @param fromPod place of the first pod in its replica
     */
    record Share(int fromReplica, int fromPod, int toReplica, int toPod, int circuits, int group) {}

    /** Copies that have pods of their own. */
    int replicas();

    /** Pods of each. */
    int pods();

    /** Whether any pod talks to another. */
    boolean talks();

    /** Number of pods that a pod talks to: the circuits that it needs at least. */
    int degree(int pod);

    /** Circuit ends that counts per group use in a pod. */
    int used(List<Integer> circuits, int pod);

    /** Number of groups: pairs of places, where tied pairs are one group. Each group has a count. */
    int groups();

    /** The fewest circuits of a group that join all pods that talk. */
    int least(int group);

    /** The fewest counts that join all pods that talk. */
    default List<Integer> fewest() {
        return IntStream.range(0, groups()).mapToObj(this::least).toList();
    }

    /**
     * The nearest counts that fit into the ports of every replica.
     *
     * @return empty if that takes a port that does not exist
     */
    Optional<List<Integer>> realisable(List<Integer> circuits, List<Integer> ports);

    /** Circuits of all pods. */
    List<Share> deal(List<Integer> circuits);

    /**
     * The counts that are left when some circuits have no place.
     *
     * @param lit circuits of each share of {@link #deal}, in its order
     */
    List<Integer> left(List<Integer> circuits, List<Integer> lit);
}
