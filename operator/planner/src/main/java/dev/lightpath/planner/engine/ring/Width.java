package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.Demand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How many of its groups an elastic slice has, counted in whole replicas: never fewer than are enough, never more than
 * it wants. A slice that is not elastic has all of them or none.
 */
final class Width {
    private Width() {}

    /** Room for all its groups; else for as many as are whole replicas and enough. At most a placement per replica. */
    static InitialPlacement widest(RingFabric ring, RingHealth health, SliceState slice, Set<Integer> occupied) {
        InitialPlacement all = InitialPlacement.of(ring, health, slice.demand(), occupied);
        return all instanceof InitialPlacement.None none
                        && narrower(ring, health, slice, none.usableGroups(), occupied)
                                instanceof InitialPlacement.Found found
                ? found
                : all;
    }

    private static InitialPlacement narrower(
            RingFabric ring, RingHealth health, SliceState slice, int usable, Set<Integer> occupied) {
        Demand.ScaleUp asked = slice.scaleUp();
        OptionalInt width = asked.width(usable);
        while (width.isPresent()) {
            InitialPlacement some = InitialPlacement.of(ring, health, slice.demand(width.getAsInt()), occupied);
            if (some instanceof InitialPlacement.Found found) {
                return new InitialPlacement.Found(
                        found.placement(), found.planner(), found.why() + "; " + asked.told(width.getAsInt()));
            }
            width = asked.width(width.getAsInt() - asked.groupsPerReplica());
        }
        return new InitialPlacement.None(usable);
    }

    /** Room for groups that a placed slice lacks, on other nodes than its own. */
    static InitialPlacement more(RingFabric ring, RingHealth health, SliceState slice, Set<Integer> occupied) {
        Demand.ScaleUp asked = slice.scaleUp();
        Set<Integer> closed = new HashSet<>(occupied);
        closed.addAll(slice.placement(ring).positions());
        int has = slice.placement(ring).groups().size();
        for (int lacking = asked.groups() - has; lacking > 0; lacking -= asked.groupsPerReplica()) {
            if (InitialPlacement.of(ring, health, slice.demand(lacking), closed)
                    instanceof InitialPlacement.Found found) {
                return new InitialPlacement.Found(
                        found.placement(), found.planner(), "grows: " + asked.told(has + lacking));
            }
        }
        return new InitialPlacement.None(0);
    }

    /**
     * Which of its groups an elastic slice goes on with when some are lost: replicas that are whole, then what is left
     * of others, as many as make further replicas. Empty where that is too few.
     *
     * @param groups how many it has
     * @param lost indices of those that no repair brings back
     */
    static List<Integer> left(Demand.ScaleUp asked, int groups, Set<Integer> lost) {
        List<Integer> whole = new ArrayList<>();
        List<Integer> loose = new ArrayList<>();
        int size = asked.groupsPerReplica();
        for (int first = 0; first < groups; first += size) {
            List<Integer> well = new ArrayList<>();
            for (int index = first; index < Math.min(groups, first + size); index++) {
                if (!lost.contains(index)) {
                    well.add(index);
                }
            }
            (well.size() == size ? whole : loose).addAll(well);
        }
        whole.addAll(loose);
        OptionalInt width = asked.width(whole.size());
        return width.isEmpty() ? List.of() : List.copyOf(whole.subList(0, width.getAsInt()));
    }
}
