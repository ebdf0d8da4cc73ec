package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.OverQuota;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.circuits.OcsDarkness;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.DisruptionBudget;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.switches.OcsLedger;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.PlannerCache;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What a fabric of optical switches adds to a pass: links between pods, and circuits as they are recorded. */
final class OcsPass implements FabricKind {
    private final SortedMap<SliceId, SliceVerdict> overQuota;
    private final List<SliceState> decided;
    private final OcsState state;
    private final OcsCircuits circuits;
    private final OcsDarkness darkness;
    private final RingCapacity groups;
    private @Nullable OcsLedger ledger;

    /**
     * @param groups whether pods have room for groups that a job takes from a ring
     * @param mostTransfers that may be simulated for comparison
     */
    OcsPass(World world, OcsIntent intent, RingCapacity groups, int mostTransfers) {
        this.overQuota = OverQuota.on(world, intent.name());
        this.decided = SliceState.of(world, intent).stream()
                .filter(slice -> !overQuota.containsKey(slice.id()))
                .toList();
        this.state = OcsState.of(world, intent, decided, mostTransfers);
        this.circuits = OcsCircuits.of(state, decided);
        this.darkness = OcsDarkness.of(state, decided);
        this.groups = groups;
    }

    @Override
    public OcsState state() {
        return state;
    }

    @Override
    public OcsCircuits circuits() {
        return circuits;
    }

    @Override
    public OcsLedger place(ChangeFreeze freeze) {
        ledger = OcsLedger.of(state, circuits, freeze, decided, groups, darkness);
        return ledger;
    }

    private OcsLedger ledger() {
        return Objects.requireNonNull(ledger, "asked before place");
    }

    @Override
    public List<SliceState> decided() {
        return decided;
    }

    @Override
    public SortedMap<SliceId, SliceVerdict> undecided() {
        return overQuota;
    }

    @Override
    public SliceVerdict.Placement placement(SliceVerdict.Placement placement) {
        return placement.beside(circuits.foreign().size(), circuits.foreignRule());
    }

    @Override
    public SliceVerdict.Light qualify(Allocation recorded) {
        return OcsQualification.of(state, recorded);
    }

    /**
     * While a slice gives up ports for another one and records are being written, nothing is taken down: its own is not
     * complete yet.
     */
    @Override
    public List<Due> startable(List<Due> due) {
        return state.world().recording().isEmpty() || !ledger().exchanging()
                ? due
                : due.stream()
                        .filter(step -> step.change().disconnects().isEmpty())
                        .toList();
    }

    /** Of what is lit; light that is there twice, before the old goes, does not widen it. */
    @Override
    public DisruptionBudget budget() {
        long lit = DisruptionBudget.lit(
                state.intent().switches().values().stream().flatMap(of -> state.device(of).stream()));
        long recorded = state.recorded().size();
        return new DisruptionBudget(
                recorded == 0 ? lit : Math.min(lit, recorded),
                state.intent().policy().maxConcurrentPercent(),
                darkness);
    }

    @Override
    public FabricVerdict.Figures figures() {
        return OcsReport.of(state, circuits, decided);
    }

    @Override
    public PlannerCache remembered() {
        return PlannerCache.ofSwitches(
                ledger().fruitless(),
                state.stripings().known(),
                state.trials().known(),
                state.lentTori().known(),
                state.forecasts().predictions(),
                state.forecasts().iterations(),
                state.described());
    }

    /** What DELTA is asked, by digest. */
    SortedMap<String, Asked> questions() {
        return ledger().questions();
    }

    /** How each switch stands. */
    OcsVerdict verdict(SortedMap<SliceId, SliceVerdict> slices) {
        return OcsReport.switches(state, circuits, decided, slices);
    }
}
