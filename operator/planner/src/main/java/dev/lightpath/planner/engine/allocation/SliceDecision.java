package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import java.util.List;
import java.util.Optional;

/** What comes of serving a slice once. */
public sealed interface SliceDecision {
    Placement placement();

    /** The same record, told of otherwise. */
    SliceDecision with(Placement told);

    static SliceDecision stay(Placement placement) {
        return new Stay(placement);
    }

    /** Its record stands. */
    record Stay(Placement placement) implements SliceDecision {
        @Override
        public Stay with(Placement told) {
            return new Stay(told);
        }
    }

    /** It gets another record. */
    record Change(
            List<Allocation.Group> groups,
            SwitchedLight light,
            Optional<Prediction> prediction,
            Origin origin,
            Placement placement)
            implements SliceDecision {
        @Override
        public Change with(Placement told) {
            return with(origin, told);
        }

        public Change with(Origin other, Placement told) {
            return new Change(groups, light, prediction, other, told);
        }

        /** Of light that follows a job's traffic; a slice without a place waits for its record. */
        public static Change of(
                SliceState slice,
                List<Allocation.Group> members,
                SwitchedLight circuits,
                Optional<Prediction> what,
                String why) {
            SwitchedLight before = slice.circuits();
            return new Change(
                    members,
                    circuits,
                    what,
                    new Origin(Origin.Planner.DELTA, circuits.minus(before).size(), why),
                    slice.placed() ? new Placement.Placed() : Placement.Unplaced.recording());
        }
    }
}
