package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What a pass decided about the records of one fabric. */
public interface FabricLedger {
    /** What to record: a record that gives up comes before the one that takes it over. */
    List<Decision.Adopt.Entry> entries();

    /** Whether each slice has a place. */
    SortedMap<SliceId, Placement> verdicts();

    /** Which job of higher priority is to have the place of each of these slices. */
    default SortedMap<SliceId, JobId> preemptors() {
        return Collections.emptySortedMap();
    }

    /** When the records need another look though nothing is heard; it may be now. */
    Optional<Instant> wakeAt();
}
