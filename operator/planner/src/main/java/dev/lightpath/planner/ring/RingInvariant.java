package dev.lightpath.planner.ring;

/** What must hold of every state of the light. */
public enum RingInvariant {
    /** Groups are disjoint by GPU and every member is healthy. */
    I0("groups overlap or have a faulty member"),
    /** Every bundle of every node has exactly one state. */
    I1("bundle without exactly one state"),
    /** Both ends of an active path agree. */
    I2("ends disagree"),
    /** The walk over each group is one ring of exactly its GPUs. */
    I3("no single ring over the group"),
    /** No path touches a faulty node or joins two groups. */
    I4("path touches a faulty node or leaves its group"),
    /** Faulty and idle nodes loop back. */
    I5("idle or faulty node does not loop back");

    private final String broken;

    RingInvariant(String broken) {
        this.broken = broken;
    }

    /** Explains a violation of this invariant. */
    public String broken() {
        return broken;
    }
}
