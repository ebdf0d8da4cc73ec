package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricLedger;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.CircuitDiff;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.DisruptionBudget;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.state.FabricState;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.PlannerCache;
import dev.lightpath.planner.world.SliceId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What a kind of fabric adds to a pass: where members sit and which circuits follow. {@link FabricPass} asks in the
 * order of these methods, {@link #place} once.
 */
interface FabricKind {
    FabricState state();

    /** What the records ask for beside what is there. */
    CircuitDiff circuits();

    /** Decides about every slice that a record or the light of a fabric leaves to be decided. */
    FabricLedger place(ChangeFreeze freeze);

    /** Slices about which {@link #place} decided, in order of precedence. */
    List<SliceState> decided();

    /** What the others are told. */
    SortedMap<SliceId, SliceVerdict> undecided();

    /** The verdict in words that a person can act on. */
    default SliceVerdict.Placement placement(SliceVerdict.Placement decided) {
        return decided;
    }

    /** How far the light of a record has come. */
    SliceVerdict.Light qualify(Allocation recorded);

    /** How good the place of a placed slice is. */
    default Optional<SliceVerdict.Siting> siting(SliceState placed) {
        return Optional.empty();
    }

    /** Of what is due, that which may be started before what is decided now is recorded. */
    default List<Due> startable(List<Due> due) {
        return due;
    }

    DisruptionBudget budget();

    /** Nodes in use that lose light once these entries are written, as far as they repair. */
    default SortedSet<String> foreseen(FabricLedger ledger) {
        return Collections.emptySortedSet();
    }

    /** Nodes in use that lose light in a stage. */
    default SortedSet<String> darkens(Stage stage, List<Due> due) {
        return Collections.emptySortedSet();
    }

    /** The faults as the next pass is to find them. */
    default FaultTracker tracker(List<Due> due) {
        return state().tracker();
    }

    FabricVerdict.Figures figures();

    /** What the next pass need not work out again. */
    PlannerCache remembered();
}
