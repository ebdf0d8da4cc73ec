package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.placement.EveryPlacement;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.ring.placement.SparePolicy;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Places a job so that few of its ranks talk across racks (InfinitePOD section 4.3 and appendix D).
 *
 * <p>Nodes that lost a path are used only where placement without regard to racks needs them. If the job fits only with
 * groups that wrap, span two sub-lines or use such nodes, {@link RingOrchestration} places it. On a small fabric
 * {@link EveryPlacement} then looks for less traffic across racks with groups of these kinds, and interleaved ones.
 */
public final class RackOrchestration {

    private RackOrchestration() {}

    /**
     * Places one job.
     *
     * @param occupied ring positions that are not to be used
     * @throws IllegalArgumentException if the tensor fits no node count
     */
    public static RackOutcome place(
            RingFabric fabric, RingHealth health, RingDemand demand, Set<Integer> occupied, RackAlgorithm algorithm) {
        int usableGroups = RingOrchestration.usableGroups(fabric, health, demand.tensor(), occupied);
        if (usableGroups < demand.groups()) {
            return new RackOutcome.Infeasible(
                    "room for " + Counted.of(usableGroups, "group") + " of " + demand.tensor() + " GPUs, "
                            + demand.groups() + " wanted",
                    usableGroups);
        }
        if (demand.groupsPerNode(fabric) > 1) {
            return blind(fabric, health, demand, occupied, usableGroups);
        }
        boolean[] usable = usable(fabric, health, occupied);
        return switch (algorithm) {
            case GREEDY -> blind(fabric, health, demand, occupied, usableGroups);
            case PAPER -> paper(fabric, usable, demand, usableGroups);
            case EXACT -> exact(fabric, health, usable, demand, occupied, usableGroups);
        };
    }

    /** X below which no placement of any kind can be, interleaved ones included. O(positions). */
    public static double floor(RingFabric fabric, RingHealth health, RingDemand demand, Set<Integer> occupied) {
        int size = demand.nodesPerGroup(fabric);
        boolean[] usable = usable(fabric, RingHealth.faulty(health.faulty()), occupied);
        return (double) CrossTor.floor(fabric, usable, size, demand.groups()) / ((long) demand.groups() * size);
    }

    private static RackOutcome blind(
            RingFabric fabric, RingHealth health, RingDemand demand, Set<Integer> occupied, int usableGroups) {
        var placed =
                (PlacementOutcome.Placed) RingOrchestration.place(fabric, health, demand, occupied, SparePolicy.PACKED);
        return placed(fabric, placed.placement().groups(), 0, 0, usableGroups);
    }

    private static RackOutcome paper(RingFabric fabric, boolean[] usable, RingDemand demand, int usableGroups) {
        FatTree tree = new FatTree(fabric, usable, demand.nodesPerGroup(fabric));
        int constraints = tree.constraintsFor(demand.groups());
        if (constraints < 0) {
            return new RackOutcome.Infeasible(
                    "the paper's algorithm finds room for " + Counted.of(tree.count(0), "group") + ", "
                            + demand.groups() + " wanted (groups that wrap are beyond it)",
                    usableGroups);
        }
        List<int[]> ordered = SetOrder.of(fabric, tree.groups(constraints));
        return placed(fabric, toGroups(ordered.subList(0, demand.groups())), 0, constraints, usableGroups);
    }

    private static RackOutcome exact(
            RingFabric fabric,
            RingHealth health,
            boolean[] usable,
            RingDemand demand,
            Set<Integer> occupied,
            int usableGroups) {
        int size = demand.nodesPerGroup(fabric);
        FatTree tree = new FatTree(fabric, usable, size);
        ExactPlacement exact = new ExactPlacement(fabric, usable, size, demand.groups(), tree);
        List<RingGroup> groups = toGroups(exact.groups());
        if (groups.isEmpty()) {
            var whole = (PlacementOutcome.Placed) RingOrchestration.place(
                    fabric, health, new RingDemand(demand.tensor(), usableGroups), occupied, SparePolicy.PACKED);
            List<int[]> all = whole.placement().groups().stream()
                    .map(group ->
                            group.members().stream().mapToInt(Integer::intValue).toArray())
                    .toList();
            groups = toGroups(new SetAssembly(fabric).order(all)).subList(0, demand.groups());
        }
        return improved(fabric, health, occupied, groups, exact.bound(), usableGroups);
    }

    /** Where the fabric is small enough and the bound not reached, whatever placement of any kind crosses less. */
    private static RackOutcome improved(
            RingFabric fabric,
            RingHealth health,
            Set<Integer> occupied,
            List<RingGroup> known,
            double bound,
            int usableGroups) {
        int size = known.getFirst().size();
        long crossings = CrossTor.crossings(fabric, known);
        boolean[] sound = usable(fabric, RingHealth.faulty(health.faulty()), occupied);
        long floor = CrossTor.floor(fabric, sound, size, known.size());
        if (crossings == floor || fabric.positions() > EveryPlacement.MOST_RACKED) {
            double reached = Math.min(bound, CrossTor.ratio(fabric, known));
            return placed(fabric, known, reached, Constraints.kept(fabric, known), usableGroups);
        }
        EveryPlacement.Answer other =
                EveryPlacement.crossingLess(fabric, health, occupied, size, known.size(), floor, crossings);
        List<RingGroup> groups = other.groups().isEmpty() ? known : other.groups();
        double proved =
                other.complete() ? CrossTor.ratio(fabric, groups) : Math.min(bound, CrossTor.ratio(fabric, groups));
        return placed(fabric, groups, proved, Constraints.kept(fabric, groups), usableGroups);
    }

    private static RackOutcome placed(
            RingFabric fabric, List<RingGroup> groups, double bound, int constraints, int usableGroups) {
        return new RackOutcome.Placed(
                new RingPlacement(groups), CrossTor.ratio(fabric, groups), bound, constraints, usableGroups);
    }

    /** Per ring position whether its node may join a group that is placed by racks. */
    static boolean[] usable(RingFabric fabric, RingHealth health, Set<Integer> occupied) {
        boolean[] usable = new boolean[fabric.positions()];
        Arrays.fill(usable, true);
        for (Set<Integer> out : List.of(health.faulty(), health.lost().keySet(), occupied)) {
            for (int position : out) {
                if (fabric.contains(position)) {
                    usable[position] = false;
                }
            }
        }
        return usable;
    }

    static List<RingGroup> toGroups(List<int[]> groups) {
        List<RingGroup> made = new ArrayList<>(groups.size());
        for (int[] members : groups) {
            made.add(RingGroup.of(members));
        }
        return made;
    }
}
