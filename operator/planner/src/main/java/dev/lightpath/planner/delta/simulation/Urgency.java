package dev.lightpath.planner.delta.simulation;

/** The order in which flows are served. */
enum Urgency {
    /** No order: max-min over all flows. */
    NONE,
    /** Level with the card-limited rate of a task. */
    CARD_LEVEL,
    /** Level with the rate of a task that has its link to itself. */
    LINK_LEVEL
}
