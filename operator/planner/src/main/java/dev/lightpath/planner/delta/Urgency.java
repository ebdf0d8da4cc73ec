package dev.lightpath.planner.delta;

/** What decides who is served first. */
enum Urgency {
    /** Nobody: max-min over all flows. */
    NONE,
    /** Level with the card-limited rate of a task. */
    CARD_LEVEL,
    /** Level with the rate of a task that has its link to itself. */
    LINK_LEVEL
}
