package dev.lightpath.planner.ask;

/** What came of a {@link TopologyQuestion}. */
public sealed interface TopologyAnswer {
    /** Circuits, and how good they are known to be. */
    record Found(Prediction prediction) implements TopologyAnswer {}

    /**
     * None.
     *
     * @param why for people: what is missing and where, or how the solver failed
     */
    record None(String why) implements TopologyAnswer {}
}
