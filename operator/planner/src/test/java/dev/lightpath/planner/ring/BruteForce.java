package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Answers by trying everything: for worlds of a dozen nodes. */
public final class BruteForce {

    private BruteForce() {}

    /** Every group of {@code size} members that could become light, interleaving ones included. */
    public static List<RingGroup> candidates(RingFabric fabric, RingHealth health, int size, Set<Integer> usable) {
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
    public static int mostGroups(RingFabric fabric, RingHealth health, int size, Set<Integer> usable) {
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

    /**
     * The best that can be made of groups of several sizes: fewest nodes lost, then fewest groups lost, then fewest
     * sound groups moved, as {@code nodes * 10000 + groups * 100 + moved}. A sound group gives its room to one of its
     * size only.
     */
    public static int leastChange(
            RingFabric fabric, RingHealth health, List<RingGroup> groups, Set<Integer> movable, Set<Integer> free) {
        List<Integer> sound = new ArrayList<>();
        Set<Integer> usable = new HashSet<>(free);
        groups.forEach(group -> usable.addAll(group.members()));
        for (int group = 0; group < groups.size(); group++) {
            if (health.supports(fabric, groups.get(group))) {
                sound.add(group);
            }
        }
        int least = Integer.MAX_VALUE;
        for (int kept = 0; kept < 1 << sound.size(); kept++) {
            Set<Integer> room = new HashSet<>(usable);
            Map<Integer, Integer> wanted = new TreeMap<>();
            Map<Integer, Integer> broken = new TreeMap<>();
            boolean allowed = true;
            int moved = 0;
            for (int group = 0; group < groups.size(); group++) {
                int at = sound.indexOf(group);
                if (at >= 0 && (kept >> at & 1) == 1) {
                    room.removeAll(groups.get(group).members());
                    continue;
                }
                allowed &= at < 0 || movable.contains(group);
                moved += at < 0 ? 0 : 1;
                wanted.merge(groups.get(group).size(), 1, Integer::sum);
                broken.merge(groups.get(group).size(), at < 0 ? 1 : 0, Integer::sum);
            }
            if (allowed) {
                int lost = leastLost(fabric, health, wanted, broken, room);
                least = lost == Integer.MAX_VALUE ? least : Math.min(least, lost + moved);
            }
        }
        return least;
    }

    private static int leastLost(
            RingFabric fabric,
            RingHealth health,
            Map<Integer, Integer> wanted,
            Map<Integer, Integer> mayLose,
            Set<Integer> room) {
        int least = fits(fabric, health, wanted, room) ? 0 : Integer.MAX_VALUE;
        for (int size : mayLose.keySet()) {
            int left = mayLose.getOrDefault(size, 0);
            if (least > 0 && left > 0) {
                Map<Integer, Integer> fewer = new TreeMap<>(wanted);
                fewer.merge(size, -1, Integer::sum);
                Map<Integer, Integer> may = new TreeMap<>(mayLose);
                may.put(size, left - 1);
                int rest = leastLost(fabric, health, fewer, may, room);
                least = rest == Integer.MAX_VALUE ? least : Math.min(least, rest + size * 10_000 + 100);
            }
        }
        return least;
    }

    /** The fewest of these groups that have to move so that more fit, O(2^movable) searches. */
    public static int leastMoves(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            Set<Integer> usable,
            Set<Integer> movable,
            int size,
            int extra) {
        int least = Integer.MAX_VALUE;
        List<Integer> may = List.copyOf(movable);
        for (int moving = 0; moving < 1 << may.size(); moving++) {
            Set<Integer> room = new HashSet<>(usable);
            Map<Integer, Integer> wanted = new TreeMap<>(Map.of(size, extra));
            for (int group = 0; group < groups.size(); group++) {
                int at = may.indexOf(group);
                RingGroup of = groups.get(group);
                if (at >= 0 && (moving >> at & 1) == 1) {
                    wanted.merge(of.size(), 1, Integer::sum);
                } else {
                    room.removeAll(of.members());
                }
            }
            if (Integer.bitCount(moving) < least && fits(fabric, health, wanted, room)) {
                least = Integer.bitCount(moving);
            }
        }
        return least;
    }

    /** Whether so many groups of each size fit at once, interleaving allowed. */
    public static boolean fits(RingFabric fabric, RingHealth health, Map<Integer, Integer> wanted, Set<Integer> room) {
        for (int size : wanted.keySet()) {
            int groups = wanted.getOrDefault(size, 0);
            if (groups > 0) {
                Map<Integer, Integer> rest = new TreeMap<>(wanted);
                rest.put(size, groups - 1);
                for (RingGroup candidate : candidates(fabric, health, size, room)) {
                    Set<Integer> left = new HashSet<>(room);
                    left.removeAll(candidate.members());
                    if (fits(fabric, health, rest, left)) {
                        return true;
                    }
                }
                return false;
            }
        }
        return true;
    }

    public static Set<Integer> all(RingFabric fabric) {
        BitSet bits = new BitSet();
        bits.set(0, fabric.positions());
        return bits.stream().boxed().collect(java.util.stream.Collectors.toSet());
    }
}
