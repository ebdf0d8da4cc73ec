package dev.lightpath.planner.ring.placement;

import dev.lightpath.planner.ring.RingPlacement;

/** The answer to a request for groups. */
public sealed interface PlacementOutcome {

    /**
     * @param placement exactly the requested groups
     * @param usableGroups how many groups of this size there was room for
     */
    record Placed(RingPlacement placement, int usableGroups) implements PlacementOutcome {}

    /**
     * @param reason for a person
     * @param usableGroups how many groups of this size there is room for
     */
    record Infeasible(String reason, int usableGroups) implements PlacementOutcome {}
}
