package dev.lightpath.planner.engine.allocation;

/** Where the node of a recorded member is now. A member that is not at home does not hold its position. */
public sealed interface MemberLocation {
    /** At the position that the record names. */
    record AtHome() implements MemberLocation {}

    /** Its Node was labelled to another position of the ring. */
    record MovedTo(int position) implements MemberLocation {}

    /** Its Node is gone, or has no position of its own. */
    record Gone() implements MemberLocation {}
}
