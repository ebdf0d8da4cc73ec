package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.BuiltIteration;
import java.util.Optional;

/** What came of a {@link TopologyQuestion}. */
public sealed interface TopologyAnswer {
    /**
     * Circuits, and how good they are known to be.
     *
     * @param built the iteration they were found for, where it is held: who has it need not build it to simulate other circuits
     */
    record Found(Prediction prediction, Optional<BuiltIteration> built) implements TopologyAnswer {
        /** The same, without what takes memory. */
        public Found bare() {
            return new Found(prediction, Optional.empty());
        }
    }

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
