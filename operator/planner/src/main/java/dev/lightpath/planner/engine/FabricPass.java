package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.CircuitDiff;
import dev.lightpath.planner.engine.circuits.FabricLedger;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.state.FabricState;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One pass over one fabric of any kind: what to record, what to change, how everything on it stands.
 *
 * @param entries ledger writes, losers before winners
 * @param change the next stage, should nothing have to be recorded first
 * @param agenda what there is to do on this fabric
 * @param remembered what the next pass need not work out again
 */
record FabricPass(
        List<Decision.Adopt.Entry> entries,
        Optional<Decision.Apply> change,
        Agenda agenda,
        FabricVerdict fabric,
        SortedMap<SliceId, SliceVerdict> slices,
        FaultTracker tracker,
        PlannerCache remembered) {

    /**
     * The pass, once places were decided on.
     *
     * @param slices of the fabric
     * @param circuits what the records ask for beside what is there
     * @param ledger what was decided about the slices
     */
    static FabricPass over(FabricSlices slices, CircuitDiff circuits, FabricLedger ledger, FabricReport report) {
        FabricState state = circuits.state();
        List<Due> due = circuits.due();
        FabricVerdict.Darkness darkness = circuits.darkened();
        Optional<Decision.Apply> change = circuits.next(due, ledger.exchanging());
        SortedMap<SliceId, SliceVerdict> verdicts = FixedMap.union(
                slices.undecided(),
                report.verdicts(slices.decided(), slice -> verdict(report, circuits, ledger, slice)));
        return new FabricPass(
                ledger.entries(),
                change,
                Agenda.of(circuits.freeze(), due, state.wakeAt(ledger.wakeAt())).and(Agenda.at(circuits.wakeAt())),
                verdict(report, circuits, darkness),
                verdicts,
                state.tracker(due),
                state.memory().after());
    }

    private static SliceVerdict verdict(
            FabricReport report, CircuitDiff circuits, FabricLedger ledger, SliceState slice) {
        SliceVerdict.Placement placement = circuits.told(ledger.placement(slice.id()));
        if (!slice.placed()) {
            return new SliceVerdict(placement, slice.recorded(), SliceVerdict.Light.none());
        }
        Allocation recorded = slice.recorded().orElseThrow();
        return new SliceVerdict(
                placement,
                slice.recorded(),
                report.qualify(recorded).under(circuits.freeze()),
                ledger.siting(slice),
                circuits.leftOnlySilence(recorded),
                Optional.ofNullable(ledger.preemptors().get(slice.id())),
                circuits.state().intent().policy().awaitsRoutes()
                        ? Optional.of(slice.intent().routed())
                        : Optional.empty());
    }

    private static Optional<String> refused(FabricState state) {
        World world = state.world();
        return world.refused().keySet().stream()
                .filter(slice -> Optional.ofNullable(world.slices().get(slice))
                        .filter(intent -> intent.fabric().equals(state.intent().name()))
                        .isPresent())
                .flatMap(slice -> world.refusesRecord(slice).map(why -> "slice " + slice + ": " + why).stream())
                .findFirst();
    }

    private static FabricVerdict verdict(FabricReport report, CircuitDiff circuits, FabricVerdict.Darkness darkness) {
        FabricState state = circuits.state();
        FabricVerdict.Figures figures = report.figures();
        return new FabricVerdict(
                figures.nodes(),
                figures.gpus(),
                figures.circuits(),
                darkness,
                state.tracker().faults(),
                circuits.foreignNames(),
                figures.invalidWiring(),
                circuits.freeze() == ChangeFreeze.MASS_FAILURE ? state.massFailure() : Optional.empty(),
                circuits.freeze() == ChangeFreeze.AWAITING_ADOPTION,
                circuits.newerDevices(),
                circuits.heldElsewhere(),
                state.ledgerDigest(),
                circuits.quarantinedPorts(),
                state.world().unreadable().records().values().stream().findFirst(),
                refused(state),
                circuits.foreignStays(),
                FabricVerdict.Optical.of(state.tracker(), state.degrading()));
    }
}
