package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers by trying everything: for worlds of a dozen nodes. */
final class BruteForce {

    private BruteForce() {}

    /** Every group of {@code size} members that could become light, interleaving ones included. */
    static List<RingGroup> candidates(RingFabric fabric, RingHealth health, int size, Set<Integer> usable) {
        List<RingGroup> found = new ArrayList<>();
        for (int start = 0; start < fabric.positions(); start++) {
            extend(fabric, health, usable, new ArrayList<>(List.of(start)), size, found);
        }
        return found;
    }

    private static void extend(
            RingFabric fabric,
            RingHealth health,
            Set<Integer> usable,
            List<Integer> members,
            int size,
            List<RingGroup> found) {
        if (!usable.contains(members.getLast())) {
            return;
        }
        if (members.size() == size) {
            RingGroup group = RingGroup.of(members);
            int span = 0;
            for (int i = 1; i < size; i++) {
                span += fabric.hop(members.get(i - 1), members.get(i));
            }
            if (span < fabric.positions() && health.supports(fabric, group)) {
                found.add(group);
            }
            return;
        }
        for (int hop = 1; hop <= fabric.reach(); hop++) {
            int next = fabric.at(members.getLast(), hop);
            if (next >= 0 && !members.contains(next)) {
                members.addLast(next);
                extend(fabric, health, usable, members, size, found);
                members.removeLast();
            }
        }
    }

    /** The greatest number of disjoint groups, interleaving allowed. */
    static int mostGroups(RingFabric fabric, RingHealth health, int size, Set<Integer> usable) {
        List<RingGroup> candidates = candidates(fabric, health, size, usable);
        List<Long> masks = candidates.stream().map(BruteForce::mask).distinct().toList();
        return most(masks, 0L, fabric.positions(), 0, new HashMap<>());
    }

    /** The greatest number of groups no two of which share a stretch of the fibre. */
    static int mostRuns(RingFabric fabric, RingHealth health, int size, Set<Integer> usable) {
        return mostRuns(fabric, health, size, usable, 0L);
    }

    /** The same beside stretches that are taken. */
    static int mostRuns(RingFabric fabric, RingHealth health, int size, Set<Integer> usable, long taken) {
        List<Long> masks = candidates(fabric, health, size, usable).stream()
                .map(group -> span(fabric, group))
                .distinct()
                .toList();
        return most(masks, taken, fabric.positions(), 0, new HashMap<>());
    }

    /** All positions from the first member to the last. */
    static long span(RingFabric fabric, RingGroup group) {
        long mask = 0;
        for (int at = group.first(); at != group.last(); at = fabric.at(at, 1)) {
            mask |= 1L << at;
        }
        return mask | 1L << group.last();
    }

    static long mask(RingGroup group) {
        long mask = 0;
        for (int member : group.members()) {
            mask |= 1L << member;
        }
        return mask;
    }

    private static int most(List<Long> masks, long taken, int positions, int from, Map<Long, Integer> known) {
        if (from == positions) {
            return 0;
        }
        Integer answer = known.get(taken << 5 | from);
        if (answer != null) {
            return answer;
        }
        int best = most(masks, taken, positions, from + 1, known);
        for (long mask : masks) {
            if (Long.numberOfTrailingZeros(mask) == from && (mask & taken) == 0) {
                best = Math.max(best, 1 + most(masks, taken | mask, positions, from + 1, known));
            }
        }
        known.put(taken << 5 | from, best);
        return best;
    }

    static Set<Integer> all(RingFabric fabric) {
        BitSet bits = new BitSet();
        bits.set(0, fabric.positions());
        return bits.stream().boxed().collect(java.util.stream.Collectors.toSet());
    }
}
