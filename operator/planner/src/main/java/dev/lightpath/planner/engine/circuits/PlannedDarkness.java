package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which nodes in use lose light on the way to a repair that is about to be recorded. Known before the stage that does
 * it is planned, so that they can be told while the record is being written.
 */
public final class PlannedDarkness {
    private PlannedDarkness() {}

    /** O(members of the groups of repaired slices). */
    public static SortedSet<String> darkens(
            RingFabric ring, List<SliceState> claims, List<Decision.Adopt.Entry> entries) {
        SortedSet<String> darkens = new TreeSet<>();
        for (Decision.Adopt.Entry entry : entries) {
            if (entry.allocation().origin().filter(Origin::repairs).isPresent()) {
                claims.stream()
                        .filter(claim -> claim.id().equals(entry.slice()))
                        .flatMap(claim -> claim.recorded().stream())
                        .filter(before -> before.revision() < entry.allocation().revision())
                        .forEach(before -> darkens.addAll(changed(ring, before, entry.allocation())));
            }
        }
        return darkens;
    }

    private static SortedSet<String> changed(RingFabric ring, Allocation before, Allocation next) {
        SortedSet<Integer> positions = states(ring, next).changedNodes(states(ring, before));
        SortedSet<String> names = new TreeSet<>();
        next.groups()
                .forEach(group -> group.members().stream()
                        .filter(member -> positions.contains(member.position()))
                        .forEach(member -> names.add(member.node())));
        return names;
    }

    private static BundleStates states(RingFabric ring, Allocation allocation) {
        return BundleDerivation.derive(ring, SliceState.groupsOf(allocation)).states();
    }
}
