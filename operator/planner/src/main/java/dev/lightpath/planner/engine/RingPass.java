package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricLedger;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.PlannedDarkness;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.circuits.RingDarkness;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.DisruptionBudget;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.LinkUpGrace;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.rack.CrossTor;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.PlannerCache;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a ring adds to a pass: records that may have been lost, groups of neighbours, and circuits that follow from
 * positions.
 */
final class RingPass implements FabricKind {
    private final RingState state;
    private final RingRecords records;
    private final RingCircuits circuits;
    private List<SliceState> decided = List.of();
    private SortedMap<SliceId, SliceVerdict> undecided = new TreeMap<>();
    private @Nullable RingLedger ledger;

    RingPass(World world, RingIntent intent) {
        this.state = RingState.of(world, intent);
        this.records = RingRecords.of(state);
        this.circuits = records.circuits();
    }

    @Override
    public RingState state() {
        return state;
    }

    @Override
    public RingCircuits circuits() {
        return circuits;
    }

    @Override
    public RingLedger place(ChangeFreeze freeze) {
        undecided = records.undecided(circuits);
        decided = records.decided(freeze, undecided);
        ledger = RingLedger.of(state, circuits, freeze, decided);
        return ledger;
    }

    private RingLedger ledger() {
        return Objects.requireNonNull(ledger, "asked before place");
    }

    @Override
    public List<SliceState> decided() {
        return decided;
    }

    @Override
    public SortedMap<SliceId, SliceVerdict> undecided() {
        return undecided;
    }

    @Override
    public SliceVerdict.Light qualify(Allocation recorded) {
        return RingQualification.of(state, circuits, recorded);
    }

    @Override
    public Optional<SliceVerdict.Siting> siting(SliceState placed) {
        RingPlacement placement = placed.placement(state.intent().ring());
        return Optional.of(new SliceVerdict.Siting(
                CrossTor.ratio(state.intent().ring(), placement.groups()), ledger().spareNodes(placement)));
    }

    @Override
    public DisruptionBudget budget() {
        return new DisruptionBudget(
                DisruptionBudget.lit(state.driver().devices().values().stream()),
                state.intent().policy().maxConcurrentPercent(),
                new RingDarkness(state, circuits));
    }

    @Override
    public SortedSet<String> foreseen(FabricLedger made) {
        return PlannedDarkness.darkens(state.intent().ring(), decided, made.entries());
    }

    /** Light of a slice that stays, and light that pods use. What is placed or given up is not used yet or any more. */
    @Override
    public SortedSet<String> darkens(Stage stage, List<Due> due) {
        SortedSet<String> darkens = new TreeSet<>();
        for (Due each : due) {
            boolean inUse = each.underPods() || each.cause() == Stage.Cause.REPAIR;
            if (inUse
                    && !each.change().disconnects().isEmpty()
                    && stage.changes().contains(each.change())) {
                darkens.add(each.change().device().device());
            }
        }
        return darkens;
    }

    @Override
    public FaultTracker tracker(List<Due> due) {
        return LinkUpGrace.and(state.tracker(), state.sites(), state.world().now(), due);
    }

    @Override
    public FabricVerdict.Figures figures() {
        return RingReport.of(state, circuits, records.all(), records.invalid());
    }

    @Override
    public PlannerCache remembered() {
        return PlannerCache.ofRing(Optional.of(state.sites()), records.derived());
    }

    /** The most laborious planner that ran. */
    Optional<Origin.Planner> planner() {
        return ledger().planner();
    }

    /** Room for the groups of jobs whose pods another fabric chooses. */
    RingCapacity.Left left() {
        return ledger().left();
    }
}
