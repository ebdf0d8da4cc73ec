package dev.lightpath.planner.ask;

import java.util.Optional;

/** What came of a {@link TopologyQuestion}. */
public sealed interface TopologyAnswer {
    /** Circuits, and how good they are known to be. */
    record Found(Prediction prediction) implements TopologyAnswer {}

    /**
     * There are none.
     *
     * @param why for people: what is missing and where
     * @param lacksPorts whether that is ports
     */
    record None(String why, boolean lacksPorts) implements TopologyAnswer {}

    /**
     * The solver crashed or did not stop. It is tried again.
     *
     * @param why for people, the same at each try
     * @param share circuits by traffic, which no solver has to choose; empty when not even these could be computed
     */
    record Failed(String why, Optional<Prediction> share) implements TopologyAnswer {}
}
