package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.simulation.BuiltIteration;
import java.util.Optional;

/** The answer to a {@link TopologyQuestion}. */
public sealed interface TopologyAnswer {
    /**
     * The iteration of the question, if the answer still holds it. It saves building it again to simulate other
     * circuits.
     */
    Optional<BuiltIteration> built();

    /** This answer without the iteration, which takes memory. */
    TopologyAnswer bare();

    /** Circuits, and how good they are known to be. */
    record Found(Prediction prediction, Optional<BuiltIteration> built) implements TopologyAnswer {
        @Override
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
    record None(String why, boolean lacksPorts) implements TopologyAnswer {
        @Override
        public Optional<BuiltIteration> built() {
            return Optional.empty();
        }

        @Override
        public None bare() {
            return this;
        }
    }

    /**
     * The solver crashed or did not stop. It is tried again.
     *
     * @param why for people, the same at each try
     * @param share circuits by traffic, which need no solver; empty if not even these could be computed
     */
    record Failed(String why, Optional<Found> share) implements TopologyAnswer {
        @Override
        public Optional<BuiltIteration> built() {
            return share.flatMap(Found::built);
        }

        @Override
        public Failed bare() {
            return new Failed(why, share.map(Found::bare));
        }
    }
}
