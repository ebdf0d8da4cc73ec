package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingPlacement;

/** The answer to a request for groups with regard to racks. */
public sealed interface RackOutcome {

    /**
     * @param placement exactly the groups asked for, in the order that forms the sets
     * @param crossTorRatio the metric X of {@link CrossTor}
     * @param crossTorBound no placement of this many groups whose groups do not interleave and stay within a sub-line
     *     of their aggregation domain has a lower X
     * @param constraints pieces that no group leaves plus domains whose groups are all aligned; for the paper's
     *     algorithm the number it applied
     * @param usableGroups how many groups there was room for
     */
    record Placed(
            RingPlacement placement, double crossTorRatio, double crossTorBound, int constraints, int usableGroups)
            implements RackOutcome {}

    /**
     * @param reason for a person
     * @param usableGroups how many groups there is room for
     */
    record Infeasible(String reason, int usableGroups) implements RackOutcome {}
}
