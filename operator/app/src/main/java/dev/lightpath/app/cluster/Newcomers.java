package dev.lightpath.app.cluster;

import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.share.FabricClaims;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that came to a fabric a moment ago, as by other labels. Whoever leads the fabric that they left may not have
 * heard of it, and place a job there still. So they take nothing new until it must have, and until records that were
 * read after that name them for no other fabric. Nodes that were there at the first look are none. From any thread.
 */
public final class Newcomers {
    /** Within this a watch tells of a node. */
    public static final Duration WAIT = Duration.ofSeconds(5);

    private final boolean all;
    private @Nullable Map<String, ? extends Set<String>> looked;
    /** By fabric. */
    private Map<String, Set<String>> settled = new HashMap<>();
    /** By fabric and node, since when it is there. */
    private Map<String, Map<String, Long>> came = new TreeMap<>();

    /** How often what {@link #settled} says has changed. */
    private long changes;

    private Newcomers(boolean all) {
        this.all = all;
    }

    public Newcomers() {
        this(false);
    }

    /** Where one process leads everything: it knows at once who has a node. */
    public static Newcomers none() {
        return new Newcomers(true);
    }

    /** While this stays, {@link #settled} says the same. */
    public synchronized long changes() {
        return changes;
    }

    /** Whether a node may take something new on a fabric. */
    public synchronized boolean settled(String fabric, String node) {
        return all || settled.getOrDefault(fabric, Set.of()).contains(node);
    }

    /**
     * Takes note of who is there now. Linear in nodes, unless they are the very object of before.
     *
     * @param nodes by fabric
     * @param nanos of a monotonic clock
     */
    @SuppressWarnings("ReferenceEquality")
    public synchronized void look(Map<String, ? extends Set<String>> nodes, long nanos) {
        if (nodes == looked) {
            return;
        }
        Map<String, Set<String>> stay = new HashMap<>();
        Map<String, Map<String, Long>> come = new TreeMap<>();
        nodes.forEach((fabric, there) -> {
            Set<String> known = settled.getOrDefault(fabric, Set.of());
            Set<String> ofFabric = HashSet.newHashSet(there.size());
            for (String node : there) {
                if (looked == null || known.contains(node)) {
                    ofFabric.add(node);
                } else {
                    long since = came.getOrDefault(fabric, Map.of()).getOrDefault(node, nanos);
                    come.computeIfAbsent(fabric, none -> new TreeMap<>()).put(node, since);
                }
            }
            stay.put(fabric, ofFabric);
        });
        looked = nodes;
        changes++;
        settled = stay;
        came = come;
    }

    /**
     * Nodes that have been there for long enough, if these records name one of them for no other fabric. Linear in
     * members of records where there are any.
     *
     * @param records slices
     * @return by fabric
     */
    public synchronized Map<String, SortedSet<String>> due(Collection<FabricSlice> records, long nanos) {
        Map<String, SortedSet<String>> due = new TreeMap<>();
        came.forEach((fabric, nodes) -> nodes.forEach((node, since) -> {
            if (nanos - since >= WAIT.toNanos()) {
                due.computeIfAbsent(fabric, none -> new TreeSet<>()).add(node);
            }
        }));
        if (!due.isEmpty()) {
            for (FabricSlice slice : records) {
                SortedSet<String> recorded = new TreeSet<>(FabricClaims.recordedNodes(slice));
                due.forEach((fabric, nodes) -> {
                    if (!fabric.equals(slice.getSpec().fabric())) {
                        nodes.removeAll(recorded);
                    }
                });
            }
            due.values().removeIf(SortedSet::isEmpty);
        }
        return due;
    }

    /**
     * These have settled, as far as they are there still.
     *
     * @param nanos before they were found to be due
     */
    public synchronized void settle(Map<String, ? extends Set<String>> nodes, long nanos) {
        nodes.forEach((fabric, of) -> {
            Map<String, Long> there = came.getOrDefault(fabric, new TreeMap<>());
            of.forEach(node -> {
                Long since = there.get(node);
                if (since != null && nanos - since >= WAIT.toNanos()) {
                    there.remove(node);
                    changes++;
                    settled.computeIfAbsent(fabric, none -> new HashSet<>()).add(node);
                }
            });
        });
    }
}
