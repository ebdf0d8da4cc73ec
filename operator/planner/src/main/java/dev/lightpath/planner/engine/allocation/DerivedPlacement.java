package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.world.Allocation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values derived from a record of groups that fits its ring. They are kept from pass to pass as long as the record
 * stays, since a fault concerns one of a hundred jobs.
 *
 * @param record the object itself, compared by identity
 * @param circuits wanted of each member, group by group
 */
public record DerivedPlacement(
        Allocation record, RingFabric ring, RingDemand demand, RingPlacement placement, List<CrossConnects> circuits) {
    /** Derives it. O(members). Members outside the ring are an {@link IllegalArgumentException}. */
    public static DerivedPlacement of(Allocation record, RingFabric ring, RingDemand demand, RingPlacement placement) {
        BundleStates light = BundleDerivation.derive(ring, placement.groups()).states();
        // groups are alike, and so is the light of their members
        Map<List<BundleState>, CrossConnects> alike = new HashMap<>();
        List<CrossConnects> wanted = record.members().stream()
                .map(member -> alike.computeIfAbsent(light.of(member.position()), TransceiverPorts::circuits))
                .toList();
        return new DerivedPlacement(record, ring, demand, placement, wanted);
    }

    /** Whether it was derived from this very record, on this ring, for this demand. */
    public boolean isOf(Allocation other, RingFabric otherRing, RingDemand otherDemand) {
        return record == other && ring.equals(otherRing) && demand.equals(otherDemand);
    }
}
