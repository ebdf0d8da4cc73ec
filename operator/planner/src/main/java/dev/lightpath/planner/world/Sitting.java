package dev.lightpath.planner.world;

import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;

/**
 * What follows from a record of groups that fits its ring. It is remembered from pass to pass as long as the record stays: of a
 * hundred jobs a fault concerns one.
 *
 * @param record the object itself, not what it says
 * @param light the bundle states that the groups ask for, without a conflict
 */
public record Sitting(
        Allocation record, RingFabric ring, RingDemand demand, RingPlacement placement, BundleDerivation light) {
    /** Derives it. O(members). Members outside the ring are an {@link IllegalArgumentException}. */
    public static Sitting of(Allocation record, RingFabric ring, RingDemand demand, RingPlacement placement) {
        return new Sitting(record, ring, demand, placement, BundleDerivation.derive(ring, placement.groups()));
    }

    /** Whether it is that of this very record, on this ring, for this demand. */
    public boolean isOf(Allocation other, RingFabric otherRing, RingDemand otherDemand) {
        return record == other && ring.equals(otherRing) && demand.equals(otherDemand);
    }
}
