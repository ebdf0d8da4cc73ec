package dev.lightpath.planner.ring.placement;

import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Places groups along the fibre without regard to racks: Algorithm 2 of InfinitePOD ({@code Orchestration-DCN-Free}),
 * with the rules the paper leaves out (mixed bundles, lost paths, wrapping groups, nodes that other jobs hold).
 *
 * <p>The number of groups is the greatest among placements whose groups do not interleave. It is the greatest of all
 * placements if no path is lost, or if {@link EveryPlacement} can search the fabric.
 */
public final class RingOrchestration {

    private RingOrchestration() {}

    /**
     * Places one job; several jobs share a ring by passing the positions of the earlier ones as {@code occupied}, in
     * order of priority. Light passes by occupied and faulty nodes. O(n * m) without lost paths.
     *
     * @param occupied positions that groups of other jobs hold or that are not to be used
     * @throws IllegalArgumentException if the tensor fits no node count
     */
    public static PlacementOutcome place(
            RingFabric fabric, RingHealth health, RingDemand demand, Set<Integer> occupied, SparePolicy policy) {
        if (demand.groupsPerNode(fabric) > 1) {
            return placeShares(fabric, health, demand, occupied, policy);
        }
        int size = demand.nodesPerGroup(fabric);
        Stretch stretch = bestCut(fabric, health, occupied, size);
        int[] most = mostFrom(stretch, size);
        List<RingGroup> interleaved = interleaved(fabric, health, occupied, size, most[0]);
        int usable = Math.max(most[0], interleaved.size());
        if (usable < demand.groups()) {
            return new PlacementOutcome.Infeasible(shortage(demand, usable), usable);
        }
        if (most[0] < demand.groups()) {
            return new PlacementOutcome.Placed(new RingPlacement(interleaved.subList(0, demand.groups())), usable);
        }
        List<RingGroup> groups = switch (policy) {
            case PACKED -> packed(stretch, size, demand.groups());
            case SPREAD -> spread(stretch, size, demand.groups(), most);
        };
        return new PlacementOutcome.Placed(new RingPlacement(groups), usable);
    }

    /** {@link #place} with spare nodes spread. */
    public static PlacementOutcome place(
            RingFabric fabric, RingHealth health, RingDemand demand, Set<Integer> occupied) {
        return place(fabric, health, demand, occupied, SparePolicy.SPREAD);
    }

    /** How many groups of {@code tensor} GPUs there is room for. */
    public static int usableGroups(RingFabric fabric, RingHealth health, int tensor, Set<Integer> occupied) {
        RingDemand demand = new RingDemand(tensor, 1);
        if (demand.groupsPerNode(fabric) > 1) {
            return freeNodes(fabric, health, occupied).size() * demand.groupsPerNode(fabric);
        }
        int size = demand.nodesPerGroup(fabric);
        int apart = mostFrom(bestCut(fabric, health, occupied, size), size)[0];
        return Math.max(
                apart, interleaved(fabric, health, occupied, size, apart).size());
    }

    /**
     * A placement with interleaved groups if it has more groups, which only lost paths make possible; none if there is
     * none.
     */
    private static List<RingGroup> interleaved(
            RingFabric fabric, RingHealth health, Set<Integer> occupied, int size, int apart) {
        boolean searched = !health.lost().isEmpty() && fabric.positions() <= EveryPlacement.MOST_POSITIONS;
        if (!searched || freeNodes(fabric, health, occupied).size() / size <= apart) {
            return List.of();
        }
        return EveryPlacement.moreGroups(fabric, health, occupied, size, apart).orElse(List.of());
    }

    private static String shortage(RingDemand demand, int usable) {
        return "room for " + Counted.of(usable, "group") + " of " + demand.tensor() + " GPUs, " + demand.groups()
                + " wanted";
    }

    /** A line as it is; a ring cut at a break, or where the cut costs least. */
    static Stretch bestCut(RingFabric fabric, RingHealth health, Set<Integer> occupied, int size) {
        Stretch whole = Stretch.of(fabric, health, occupied, 0);
        if (fabric.shape() == RingShape.LINE) {
            return whole;
        }
        int gap = Stretch.breakAfter(whole.usable, whole.reach);
        if (gap >= 0) {
            return Stretch.of(fabric, health, occupied, (gap + 1) % fabric.positions());
        }
        Stretch best = whole;
        int mostGroups = mostFrom(whole, size)[0];
        int healthy = 0;
        for (boolean usable : whole.usable) {
            healthy += usable ? 1 : 0;
        }
        // some best placement has no group across one of the positions that a single group could span
        int window = Math.min(fabric.positions(), (size - 1) * fabric.reach() + 2);
        for (int origin = 1; origin < window && mostGroups < healthy / size; origin++) {
            if (!whole.usable[origin]) {
                continue;
            }
            Stretch cut = Stretch.of(fabric, health, occupied, origin);
            int groups = mostFrom(cut, size)[0];
            if (groups > mostGroups) {
                mostGroups = groups;
                best = cut;
            }
        }
        return best;
    }

    /** For each index the greatest number of groups at or after it. */
    private static int[] mostFrom(Stretch stretch, int size) {
        int[] most = new int[stretch.length + 1];
        int[] end = new int[stretch.length];
        Arrays.fill(end, -1);
        int[] group = stretch.earliestGroup(0, size);
        int next = 0;
        while (group.length > 0) {
            int last = group[size - 1];
            for (int i = next; i <= group[0]; i++) {
                end[i] = last;
            }
            next = group[0] + 1;
            group = stretch.earliestGroup(next, size);
        }
        for (int i = stretch.length - 1; i >= 0; i--) {
            most[i] = end[i] < 0 ? 0 : 1 + most[end[i] + 1];
        }
        return most;
    }

    private static List<RingGroup> packed(Stretch stretch, int size, int wanted) {
        List<RingGroup> groups = new ArrayList<>(wanted);
        int from = 0;
        while (groups.size() < wanted) {
            int[] group = stretch.earliestGroup(from, size);
            groups.add(toGroup(stretch, group));
            from = group[size - 1] + 1;
        }
        return groups;
    }

    /** Leaves the i-th share of the spare nodes before group i, as far as the groups still to come have room. */
    private static List<RingGroup> spread(Stretch stretch, int size, int wanted, int[] most) {
        int[] usableBefore = new int[stretch.length + 1];
        for (int i = 0; i < stretch.length; i++) {
            usableBefore[i + 1] = usableBefore[i] + (stretch.usable[i] ? 1 : 0);
        }
        long spares = usableBefore[stretch.length] - (long) size * wanted;
        List<RingGroup> groups = new ArrayList<>(wanted);
        int from = 0;
        for (int placed = 0; placed < wanted; placed++) {
            long quota = spares * (2L * placed + 1) / (2L * wanted);
            int skip = from;
            while (skip < stretch.length && usableBefore[skip] - (long) size * placed < quota) {
                skip++;
            }
            while (most[skip] < wanted - placed) {
                skip--;
            }
            int[] group = stretch.earliestGroup(Math.max(from, skip), size);
            groups.add(toGroup(stretch, group));
            from = group[size - 1] + 1;
        }
        return groups;
    }

    private static RingGroup toGroup(Stretch stretch, int[] indices) {
        return RingGroup.of(
                Arrays.stream(indices).map(stretch::positionOf).boxed().toList());
    }

    private static List<Integer> freeNodes(RingFabric fabric, RingHealth health, Set<Integer> occupied) {
        return IntStream.range(0, fabric.positions())
                .filter(position -> !health.isFaulty(position) && !occupied.contains(position))
                .boxed()
                .toList();
    }

    private static PlacementOutcome placeShares(
            RingFabric fabric, RingHealth health, RingDemand demand, Set<Integer> occupied, SparePolicy policy) {
        List<Integer> free = freeNodes(fabric, health, occupied);
        int shares = demand.groupsPerNode(fabric);
        int usable = free.size() * shares;
        if (usable < demand.groups()) {
            return new PlacementOutcome.Infeasible(shortage(demand, usable), usable);
        }
        int nodes = (demand.groups() + shares - 1) / shares;
        List<RingGroup> groups = new ArrayList<>(demand.groups());
        for (int index = 0; index < demand.groups(); index++) {
            int node = index / shares;
            int at = switch (policy) {
                case PACKED -> node;
                case SPREAD -> (int) ((long) node * free.size() / nodes);
            };
            groups.add(new RingGroup(List.of(free.get(at)), index % shares, shares));
        }
        return new PlacementOutcome.Placed(new RingPlacement(groups), usable);
    }
}
