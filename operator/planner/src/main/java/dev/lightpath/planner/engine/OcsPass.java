package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.switches.OcsLedger;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What a fabric of optical switches adds to a pass: links between pods, and circuits as they are recorded. */
final class OcsPass implements FabricKind {
    private final FabricSlices slices;
    private final OcsState state;
    private final OcsCircuits circuits;
    private final RingCapacity groups;
    private @Nullable OcsLedger ledger;

    /**
     * @param groups whether pods have room for groups that a job takes from a ring
     * @param mostTransfers that may be simulated for comparison
     */
    OcsPass(World world, OcsIntent intent, RingCapacity groups, int mostTransfers) {
        this.slices = FabricSlices.of(world, intent);
        this.state = OcsState.of(world, intent, slices.decided(), mostTransfers);
        this.circuits = new OcsCircuits(state, slices.decided());
        this.groups = groups;
    }

    @Override
    public OcsCircuits circuits() {
        return circuits;
    }

    @Override
    public OcsLedger place() {
        ledger = OcsLedger.of(state, circuits, slices.decided(), groups);
        return ledger;
    }

    @Override
    public FabricSlices slices() {
        return slices;
    }

    @Override
    public OcsReport report() {
        return new OcsReport(state, circuits, slices.decided());
    }

    /** What is told of the switches beside these verdicts. */
    OcsVerdict switches(SortedMap<SliceId, SliceVerdict> verdicts) {
        return report().switches(verdicts);
    }

    /** What DELTA is asked, by digest. */
    SortedMap<String, Asked> questions() {
        return Objects.requireNonNull(ledger, "asked before place").questions();
    }
}
