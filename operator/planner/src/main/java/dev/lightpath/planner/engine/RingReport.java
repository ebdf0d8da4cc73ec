package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.SortedMap;
import java.util.function.Function;

/** How a ring and its slices stand after a pass. */
final class RingReport implements FabricReport {
    private final RingRecords records;
    private final RingCircuits circuits;
    private final RingLedger ledger;

    RingReport(RingRecords records, RingCircuits circuits, RingLedger ledger) {
        this.records = records;
        this.circuits = circuits;
        this.ledger = ledger;
    }

    @Override
    public SliceVerdict.Light qualify(Allocation recorded) {
        return RingQualification.of(records.state(), circuits, recorded);
    }

    @Override
    public SortedMap<SliceId, SliceVerdict> verdicts(FabricSlices slices, Function<SliceState, SliceVerdict> verdict) {
        return FixedMap.union(slices.undecided(), RingVerdicts.of(records.state(), circuits, ledger, verdict));
    }

    @Override
    public FabricVerdict.Figures figures() {
        return new RingFigures(records, circuits).all();
    }
}
