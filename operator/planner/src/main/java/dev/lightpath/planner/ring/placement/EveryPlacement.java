package dev.lightpath.planner.ring.placement;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The best placement of one job among <em>all</em> that light allows, on fabrics of at most 64 nodes. Groups may
 * interleave, wrap, lead from one sub-line into the next and use nodes that lost a path.
 *
 * <p>A walk over the nodes, rack by rack. An item is a single group, or a set of p groups of which some ranks meet; it
 * is taken at its first node. State: which later nodes are taken, and how many groups there are. Value: crossings
 * ({@code CrossTor}). Singles count as full crossing, so sets that meet nowhere need not be listed. States that cannot
 * become better than the best known are dropped. Exponential in the hops a group spans, so the walk gives up after a
 * number of steps.
 */
public final class EveryPlacement {

    /** Nodes up to which a placement is searched. */
    public static final int MOST_POSITIONS = 64;

    /** Nodes up to which crossings are searched for: beyond it the steps hardly ever suffice. */
    public static final int MOST_RACKED = 24;

    private static final int CROSSING_STEPS = 2_000_000;
    private static final int COUNT_STEPS = 60_000;

    /**
     * The result of a search.
     *
     * @param groups of the better placement in set order, empty if none was found
     * @param complete whether all placements were considered, so that the best known one is best if there is no better
     *     one
     */
    public record Answer(List<RingGroup> groups, boolean complete) {
        public Answer {
            groups = List.copyOf(groups);
        }
    }

    private record Item(long nodes, int groups, int crossings, List<RingGroup> set) {}

    private record State(long taken, int groups) {}

    private record Step(
            int crossings, @Nullable Item item, @Nullable Step before) {}

    private final RingFabric fabric;
    private final int size;
    private final int wanted;
    private final int setSize;
    private final int[] order;
    private final long usable;
    private final long below;
    private final int most;
    private final List<List<Item>> items = new ArrayList<>();
    private int stepsLeft;

    private EveryPlacement(
            RingFabric fabric,
            RingHealth health,
            Set<Integer> occupied,
            int size,
            int wanted,
            boolean racks,
            long below) {
        this.fabric = fabric;
        this.size = size;
        this.wanted = wanted;
        this.setSize = racks ? fabric.nodesPerTor() : 1;
        this.order = new int[fabric.positions()];
        long free = 0;
        for (int position = 0; position < order.length; position++) {
            order[position] = racks ? fabric.networkNumberOf(position) : position;
            free |= health.isFaulty(position) || occupied.contains(position) ? 0 : 1L << order[position];
        }
        this.usable = free;
        this.below = below;
        this.most = (int) Math.min(below, (long) setSize * size);
        this.stepsLeft = racks ? CROSSING_STEPS : COUNT_STEPS;
        list(candidates(health, occupied));
    }

    /**
     * A placement of {@code groups} groups of {@code size} nodes with fewer crossings between racks than {@code below},
     * as few as can be.
     *
     * @param floor crossings that none can go below: looked for first, because that drops most states
     * @throws IllegalArgumentException if the fabric has more than {@link #MOST_POSITIONS} nodes
     */
    public static Answer crossingLess(
            RingFabric fabric, RingHealth health, Set<Integer> occupied, int size, int groups, long floor, long below) {
        require(fabric);
        Answer ideal =
                new EveryPlacement(fabric, health, occupied, size, groups, true, Math.min(below, floor + 1)).walk();
        if (!ideal.groups().isEmpty()) {
            return ideal;
        }
        return new EveryPlacement(fabric, health, occupied, size, groups, true, below).walk();
    }

    /** The greatest number of groups if that is more than {@code known}: so many; else none. */
    static Optional<List<RingGroup>> moreGroups(
            RingFabric fabric, RingHealth health, Set<Integer> occupied, int size, int known) {
        require(fabric);
        List<RingGroup> most = List.of();
        for (int wanted = known + 1; wanted * (long) size <= fabric.positions(); wanted++) {
            List<RingGroup> found = new EveryPlacement(fabric, health, occupied, size, wanted, false, 1)
                    .walk()
                    .groups();
            if (found.isEmpty()) {
                break;
            }
            most = found;
        }
        return most.isEmpty() ? Optional.empty() : Optional.of(most);
    }

    private static void require(RingFabric fabric) {
        if (fabric.positions() > MOST_POSITIONS) {
            throw new IllegalArgumentException(
                    "positions = " + fabric.positions() + ": must be at most " + MOST_POSITIONS);
        }
    }

    private List<RingGroup> candidates(RingHealth health, Set<Integer> occupied) {
        List<RingGroup> found = new ArrayList<>();
        for (int start = 0; start < fabric.positions(); start++) {
            extend(health, occupied, new ArrayList<>(List.of(start)), 0, found);
        }
        return found;
    }

    private void extend(
            RingHealth health, Set<Integer> occupied, List<Integer> members, int span, List<RingGroup> found) {
        int last = members.getLast();
        if (--stepsLeft < 0 || (usable >>> order[last] & 1) == 0) {
            return;
        }
        if (members.size() == size) {
            RingGroup group = RingGroup.of(members);
            if (health.supports(fabric, group)) {
                found.add(group);
            }
            return;
        }
        for (int hop = 1; hop <= fabric.reach() && span + hop < fabric.positions(); hop++) {
            int next = fabric.at(last, hop);
            if (next >= 0 && stepsLeft >= 0) {
                members.addLast(next);
                extend(health, occupied, members, span + hop, found);
                members.removeLast();
            }
        }
    }

    /** Single groups and the sets that meet somewhere, the cheapest for each choice of nodes, by their first node. */
    private void list(List<RingGroup> candidates) {
        Map<Long, Item> cheapest = new TreeMap<>();
        long[] nodes = new long[candidates.size()];
        for (int i = 0; i < nodes.length; i++) {
            for (int member : candidates.get(i).members()) {
                nodes[i] |= 1L << order[member];
            }
            offer(cheapest, new Item(nodes[i], 1, setSize > 1 ? size : 0, List.of(candidates.get(i))));
        }
        if (setSize > 1 && wanted >= setSize) {
            gather(candidates, nodes, 0, 0, new int[setSize], 0, cheapest);
        }
        for (int at = 0; at < fabric.positions(); at++) {
            items.add(new ArrayList<>());
        }
        cheapest.forEach(
                (mask, item) -> items.get(Long.numberOfTrailingZeros(mask)).add(item));
    }

    /**
     * Sets, without those whose ranks cross so often that they are no better than single groups, or than the best known
     * placement.
     */
    private void gather(
            List<RingGroup> candidates,
            long[] nodes,
            int from,
            long taken,
            int[] set,
            int chosen,
            Map<Long, Item> cheapest) {
        int crossings = crossings(candidates, set, chosen);
        if (crossings >= most) {
            return;
        }
        if (chosen == setSize) {
            List<RingGroup> groups =
                    Arrays.stream(set).mapToObj(candidates::get).toList();
            offer(cheapest, new Item(taken, setSize, crossings, groups));
            return;
        }
        for (int i = from; i < nodes.length && --stepsLeft >= 0; i++) {
            if ((nodes[i] & taken) == 0) {
                set[chosen] = i;
                gather(candidates, nodes, i + 1, taken | nodes[i], set, chosen + 1, cheapest);
            }
        }
    }

    private static void offer(Map<Long, Item> cheapest, Item item) {
        cheapest.merge(item.nodes(), item, (known, other) -> other.crossings() < known.crossings() ? other : known);
    }

    /** Of the first groups of a set, which further ones only add to. */
    private int crossings(List<RingGroup> candidates, int[] set, int chosen) {
        int crossings = 0;
        for (int rank = 0; rank < size; rank++) {
            int distinct = 0;
            for (int i = 0; i < chosen; i++) {
                int tor = fabric.torOf(candidates.get(set[i]).members().get(rank));
                boolean seen = false;
                for (int j = 0; j < i && !seen; j++) {
                    seen = fabric.torOf(candidates.get(set[j]).members().get(rank)) == tor;
                }
                distinct += seen ? 0 : 1;
            }
            crossings += distinct > 1 ? distinct : 0;
        }
        return crossings;
    }

    private Answer walk() {
        Map<State, Step> layer = new HashMap<>();
        layer.put(new State(0, 0), new Step(0, null, null));
        for (int at = 0; at < fabric.positions() && stepsLeft >= 0; at++) {
            Map<State, Step> next = new HashMap<>();
            boolean free = (usable >>> at & 1) == 1;
            for (Map.Entry<State, Step> entry : layer.entrySet()) {
                State state = entry.getKey();
                take(next, at, state, entry.getValue(), null);
                if (free && (state.taken() >>> at & 1) == 0) {
                    takeAny(next, at, state, entry.getValue());
                }
                if (stepsLeft < 0) {
                    break;
                }
            }
            layer = next;
        }
        Step best = stepsLeft < 0 ? null : layer.get(new State(0, wanted));
        return new Answer(best == null ? List.of() : groups(best), stepsLeft >= 0);
    }

    private void takeAny(Map<State, Step> next, int at, State from, Step step) {
        for (Item item : items.get(at)) {
            if (--stepsLeft < 0) {
                return;
            }
            if ((item.nodes() & from.taken()) == 0) {
                take(next, at, from, step, item);
            }
        }
    }

    private void take(Map<State, Step> next, int at, State from, Step step, @Nullable Item item) {
        stepsLeft -= 4;
        long taken = (from.taken() | (item == null ? 0 : item.nodes())) & ~(1L << at);
        int groups = from.groups() + (item == null ? 0 : item.groups());
        int crossings = step.crossings() + (item == null ? 0 : item.crossings());
        long left = usable & ~taken & -2L << at;
        boolean enough = groups <= wanted && groups + Long.bitCount(left) / size >= wanted;
        if (enough && crossings + crossingsToCome(wanted - groups, left) < below) {
            State state = new State(taken, groups);
            Step known = next.get(state);
            if (known == null || crossings < known.crossings()) {
                next.put(
                        state,
                        item == null
                                ? new Step(crossings, step.item(), step.before())
                                : new Step(crossings, item, step));
            }
        }
    }

    /** At least so many: a rank that does not cross fills a rack, any other of a full set crosses twice. */
    private long crossingsToCome(int groups, long left) {
        if (setSize == 1) {
            return 0;
        }
        long rack = (1L << setSize) - 1;
        int whole = 0;
        for (int first = 0; first < fabric.positions(); first += setSize) {
            whole += (left >>> first & rack) == rack ? 1 : 0;
        }
        return (long) groups % setSize * size + 2L * Math.max(0, groups / setSize * size - whole);
    }

    /** Full sets first. */
    private List<RingGroup> groups(Step last) {
        List<RingGroup> sets = new ArrayList<>();
        List<RingGroup> singles = new ArrayList<>();
        for (Step step = last; step != null; step = step.before()) {
            Item item = step.item();
            if (item != null) {
                (item.groups() == setSize ? sets : singles).addAll(item.set());
            }
        }
        sets.addAll(singles);
        return sets;
    }
}
