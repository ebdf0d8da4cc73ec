package dev.lightpath.planner.share;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The fabrics of a cluster in groups: two fabrics are of one group if they have a driver, a node or a job in common, or
 * are connected by others that do. A group is named by the first of its fabrics, so everybody who sees the same calls
 * it the same. Immutable.
 */
public final class FabricGroups {
    private final SortedMap<String, SortedSet<String>> groups;
    private final Map<String, String> groupOf;

    /** @param first of each fabric the first of its group */
    private FabricGroups(SortedMap<String, String> first) {
        SortedMap<String, SortedSet<String>> members = new TreeMap<>();
        first.forEach((fabric, group) ->
                members.computeIfAbsent(group, unseen -> new TreeSet<>()).add(fabric));
        members.replaceAll((group, fabrics) -> Collections.unmodifiableSortedSet(fabrics));
        this.groups = Collections.unmodifiableSortedMap(members);
        this.groupOf = Map.copyOf(first);
    }

    /**
     * The groups of fabrics by what each claims. Nearly linear in all claims.
     *
     * @param claims by fabric, names of what no other group may have, such as drivers and nodes
     */
    public static FabricGroups of(SortedMap<String, ? extends Collection<String>> claims) {
        Joined joined = new Joined(claims.keySet());
        Map<String, String> owners = new HashMap<>();
        claims.forEach((fabric, claimed) -> claimed.forEach(what -> {
            String owner = owners.putIfAbsent(what, fabric);
            if (owner != null) {
                joined.join(owner, fabric);
            }
        }));
        return new FabricGroups(joined.firsts());
    }

    /** These groups, and one for each other fabric. Returns this very object if there is none. Linear. */
    public FabricGroups with(Collection<String> fabrics) {
        if (groupOf.keySet().containsAll(fabrics)) {
            return this;
        }
        SortedMap<String, String> firsts = new TreeMap<>(groupOf);
        fabrics.forEach(fabric -> firsts.putIfAbsent(fabric, fabric));
        return new FabricGroups(firsts);
    }

    /**
     * These groups, joined where something needs fabrics of several. Returns this very object if nothing does. Linear.
     *
     * @param needed names of fabrics that are needed together, as by one job. Fabrics that are not of these groups
     *     count for nothing
     */
    public FabricGroups joining(Collection<? extends Collection<String>> needed) {
        Joined joined = new Joined(groups.keySet());
        boolean changed = false;
        for (Collection<String> together : needed) {
            String last = null;
            for (String fabric : together) {
                String group = groupOf.get(fabric);
                if (group != null && last != null) {
                    changed |= joined.join(last, group);
                }
                last = group == null ? last : group;
            }
        }
        if (!changed) {
            return this;
        }
        SortedMap<String, String> firsts = new TreeMap<>();
        groupOf.forEach((fabric, group) -> firsts.put(fabric, joined.first(group)));
        return new FabricGroups(firsts);
    }

    /** The fabrics of each group, by its name. */
    public SortedMap<String, SortedSet<String>> groups() {
        return groups;
    }

    public boolean has(String fabric) {
        return groupOf.containsKey(fabric);
    }

    /** Sets of names that are joined step by step; each is named by its first. */
    private static final class Joined {
        private final SortedMap<String, String> before = new TreeMap<>();

        Joined(Collection<String> names) {
            names.forEach(name -> before.put(name, name));
        }

        String first(String name) {
            String at = name;
            while (!before.getOrDefault(at, at).equals(at)) {
                // each looked at points nearer to the first from now on
                String next = before.getOrDefault(at, at);
                before.put(at, before.getOrDefault(next, next));
                at = next;
            }
            return at;
        }

        /** False if they were together before. */
        boolean join(String one, String other) {
            String some = first(one);
            String others = first(other);
            boolean inOrder = some.compareTo(others) < 0;
            before.put(inOrder ? others : some, inOrder ? some : others);
            return !some.equals(others);
        }

        SortedMap<String, String> firsts() {
            SortedMap<String, String> firsts = new TreeMap<>();
            before.keySet().stream().toList().forEach(name -> firsts.put(name, first(name)));
            return firsts;
        }
    }
}
