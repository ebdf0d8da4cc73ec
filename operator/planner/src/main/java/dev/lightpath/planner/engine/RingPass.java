package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.World;
import java.util.Optional;

/**
 * A pass over a ring: records that may have been lost, groups of neighbours, and circuits that follow from positions.
 *
 * @param left what it left of the ring for a slice
 * @param planner the most laborious planner that ran
 */
record RingPass(FabricPass pass, RingCapacity.Left left, Optional<Origin.Planner> planner) {

    static RingPass over(World world, RingIntent intent) {
        RingState state = RingState.of(world, intent);
        RingRecords records = RingRecords.of(state);
        RingCircuits circuits = records.circuits();
        FabricSlices slices = records.slices(circuits);
        RingLedger ledger = RingLedger.of(state, circuits, slices.decided());
        return new RingPass(
                FabricPass.over(slices, circuits, ledger, new RingReport(records, circuits, ledger)),
                new RingCapacity.Left(
                        intent.ring(), state.health(), state.byName(), slice -> ledger.closedTo(slice.id())),
                ledger.planner());
    }
}
