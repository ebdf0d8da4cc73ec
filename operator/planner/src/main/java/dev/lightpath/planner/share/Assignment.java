package dev.lightpath.planner.share;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which replica is to lead each group of fabrics. Groups stay with whoever holds them; what nobody holds goes to the
 * replica with the fewest groups. Between equals the rendezvous hash of group and replica decides (Thaler and
 * Ravishankar, 1998), so all replicas that see the same come to the same, and what a replica leaves is spread over all
 * others. It is a wish and no more: who leads is who holds the Leases.
 */
public final class Assignment {
    /** By group. */
    private final SortedMap<String, String> replicaOf;

    private final SortedSet<String> replicas;

    private Assignment(SortedMap<String, String> replicaOf, Collection<String> replicas) {
        this.replicaOf = Collections.unmodifiableSortedMap(new TreeMap<>(replicaOf));
        this.replicas = Collections.unmodifiableSortedSet(new TreeSet<>(replicas));
    }

    /**
     * Where groups stay, and who takes those that nobody holds. A group that several replicas hold parts of goes as a
     * whole to the one that holds most of its fabrics. O(fabrics + groups * replicas).
     *
     * @param groups fabrics by name of their group
     * @param holders by fabric, whoever holds its Lease now; one that is none of the replicas holds nothing
     * @param replicas those that are alive; nobody leads anything where there is none
     * @param candidates by group that nobody holds, those of them that may take it; of a group that is not named all may
     */
    public static Assignment of(
            SortedMap<String, ? extends Collection<String>> groups,
            Map<String, String> holders,
            Collection<String> replicas,
            Map<String, ? extends Collection<String>> candidates) {
        SortedMap<String, String> replicaOf = new TreeMap<>();
        groups.forEach((group, fabrics) ->
                holder(fabrics, holders, replicas).ifPresent(holder -> replicaOf.put(group, holder)));
        Map<String, Long> loads = loads(replicaOf);
        for (String group : groups.keySet()) {
            if (!replicaOf.containsKey(group) && !replicas.isEmpty()) {
                Collection<String> named = candidates.get(group);
                String fewest = Collections.min(
                        named == null ? replicas : named,
                        Comparator.comparingLong((String replica) -> loads.getOrDefault(replica, 0L))
                                .thenComparing(byScore(group)));
                replicaOf.put(group, fewest);
                loads.merge(fewest, 1L, Long::sum);
            }
        }
        return new Assignment(replicaOf, replicas);
    }

    private static Optional<String> holder(
            Collection<String> fabrics, Map<String, String> holders, Collection<String> replicas) {
        Map<String, Long> held = fabrics.stream()
                .map(holders::get)
                .filter(holder -> holder != null && replicas.contains(holder))
                .collect(Collectors.groupingBy(holder -> holder, Collectors.counting()));
        // of equals the one that holds the first fabric
        long most = held.values().stream().max(Long::compare).orElse(0L);
        return fabrics.stream()
                .sorted()
                .map(holders::get)
                .filter(holder -> holder != null && held.getOrDefault(holder, 0L) == most && most > 0)
                .findFirst();
    }

    /**
     * The same, but that no replica has two groups more than another: one after the other they move from whoever has
     * the most to whoever has the fewest. O(groups^2 + groups * replicas).
     */
    public Assignment balanced() {
        if (replicas.size() < 2) {
            return this;
        }
        SortedMap<String, String> moved = new TreeMap<>(replicaOf);
        Map<String, Long> loads = loads(moved);
        while (true) {
            Comparator<String> byLoad = Comparator.comparingLong(replica -> loads.getOrDefault(replica, 0L));
            String most = Collections.max(replicas, byLoad);
            String fewest = Collections.min(replicas, byLoad);
            if (loads.getOrDefault(most, 0L) - loads.getOrDefault(fewest, 0L) < 2) {
                return new Assignment(moved, replicas);
            }
            moved.keySet().stream()
                    .filter(group -> most.equals(moved.get(group)))
                    .max(Comparator.comparingLong(group -> score(group, fewest)))
                    .ifPresent(group -> moved.put(group, fewest));
            loads.merge(most, -1L, Long::sum);
            loads.merge(fewest, 1L, Long::sum);
        }
    }

    /**
     * Of all replicas that are alive, the one for what there is once: whoever holds it, else the first by its hash.
     *
     * @param candidates at least one, of those that may take it if none of the replicas holds it
     */
    static String one(String what, String holder, Collection<String> replicas, Collection<String> candidates) {
        return replicas.contains(holder) ? holder : Collections.min(candidates, byScore(what));
    }

    /** The groups that a replica is to lead. */
    public SortedSet<String> of(String replica) {
        SortedSet<String> groups = new TreeSet<>();
        replicaOf.forEach((group, of) -> {
            if (of.equals(replica)) {
                groups.add(group);
            }
        });
        return groups;
    }

    private static Map<String, Long> loads(SortedMap<String, String> replicaOf) {
        return new HashMap<>(
                replicaOf.values().stream().collect(Collectors.groupingBy(replica -> replica, Collectors.counting())));
    }

    private static Comparator<String> byScore(String group) {
        return Comparator.comparingLong((String replica) -> score(group, replica))
                .reversed()
                .thenComparing(Comparator.naturalOrder());
    }

    /** FNV-1a, with the finalizer of SplitMix64: names that differ in their last letter score far apart. */
    private static long score(String group, String replica) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : (group + "\n" + replica).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
