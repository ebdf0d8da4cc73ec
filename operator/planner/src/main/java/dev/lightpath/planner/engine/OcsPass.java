package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.switches.OcsLedger;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.World;
import java.util.SortedMap;

/**
 * A pass over a fabric of optical switches: links between pods, and circuits as they are recorded.
 *
 * @param questions what DELTA is asked, by digest
 */
record OcsPass(FabricPass pass, OcsVerdict switches, SortedMap<String, Asked> questions) {

    /**
     * @param groups whether pods have room for groups that a job takes from a ring
     * @param mostTransfers that may be simulated for comparison
     */
    static OcsPass over(World world, OcsIntent intent, RingCapacity groups, int mostTransfers) {
        FabricSlices slices = FabricSlices.of(world, intent);
        OcsState state = OcsState.of(world, intent, slices.decided(), mostTransfers);
        OcsCircuits circuits = new OcsCircuits(state, slices.decided());
        OcsLedger ledger = OcsLedger.of(state, circuits, slices.decided(), groups);
        OcsReport report = new OcsReport(state, circuits, slices.decided());
        FabricPass pass = FabricPass.over(slices, circuits, ledger, report);
        return new OcsPass(pass, report.switches(pass.slices()), ledger.questions());
    }
}
