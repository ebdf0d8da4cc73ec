package dev.lightpath.planner.ring.rack;

/** Ways to place with regard to racks. */
public enum RackAlgorithm {
    /** Dynamic programme and pairing: best X for two nodes per rack, bounded for more. */
    EXACT,
    /** Algorithms 1 and 3 to 5 of the paper, corrected. */
    PAPER,
    /** Algorithm 2 along the fibre, blind to racks: the baseline. */
    GREEDY
}
