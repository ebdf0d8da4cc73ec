package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The seats of one ring while a pass decides, as the jobs that are served one after another share them: what one takes
 * is not there for the next.
 *
 * @param slices in order of precedence
 */
record RingSeats(
        RingState state,
        RingCircuits circuits,
        List<SliceState> slices,
        Occupancy occupancy,
        LedgerDraft draft,
        RepairGate gate) {
    RingFabric ring() {
        return state.intent().ring();
    }

    ChangeFreeze freeze() {
        return circuits.freeze();
    }

    /** No repair waits for a search that takes its time: room is made once what broke has had its answer. */
    boolean anyFreshFault() {
        Optional<Instant> settled = state.repairsFirstUntil();
        settled.ifPresent(draft::wake);
        return settled.isPresent();
    }

    SliceState slice(SliceId id) {
        return slices.stream()
                .filter(slice -> slice.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
