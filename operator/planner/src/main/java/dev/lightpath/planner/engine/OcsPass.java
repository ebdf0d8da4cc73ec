package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.OverQuota;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.circuits.OcsDarkness;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.DisruptionBudget;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.pacing.Rollout;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.MassFailure;
import dev.lightpath.planner.engine.state.NewerDevices;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.state.WakeTime;
import dev.lightpath.planner.engine.switches.OcsLedger;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Remembered;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One pass over one fabric of optical switches, the mirror of {@link RingPass}.
 *
 * @param entries ledger writes, losers before winners
 * @param stage the next stage, should nothing have to be recorded first
 * @param agenda what there is to do on this fabric
 * @param questions what DELTA is asked
 * @param remembered what the next pass need not work out again
 */
record OcsPass(
        List<Decision.Adopt.Entry> entries,
        Optional<Stage> stage,
        Agenda agenda,
        FabricVerdict fabric,
        OcsVerdict verdict,
        SortedMap<SliceId, SliceVerdict> slices,
        FaultBook book,
        SortedMap<String, Asked> questions,
        Remembered remembered) {

    /**
     * @param groups whether pods have room for groups that a job takes from a ring
     * @param mostTransfers that may be simulated for comparison
     */
    static OcsPass over(World world, OcsIntent intent, RingCapacity groups, int mostTransfers) {
        SortedMap<SliceId, SliceVerdict> overQuota = OverQuota.on(world, intent.name());
        List<SliceState> claims = SliceState.of(world, intent).stream()
                .filter(claim -> !overQuota.containsKey(claim.id()))
                .toList();
        OcsState scene = OcsState.of(world, intent, claims, mostTransfers);
        OcsCircuits light = OcsCircuits.of(scene, claims);
        ChangeFreeze freeze = ChangeFreeze.of(
                !world.illegible().records().isEmpty(),
                intent.paused(),
                scene.synced(),
                NewerDevices.of(scene).isPresent(),
                light.awaitingAdoption() && intent.policy().adopt().isEmpty(),
                () -> MassFailure.standing(scene).isPresent(),
                intent.retiring());
        OcsDarkness darkness = OcsDarkness.of(scene, claims);
        OcsLedger ledger = OcsLedger.of(scene, light, freeze, claims, groups, darkness);
        List<Due> due = light.due();
        SortedMap<SliceId, SliceVerdict> slices = new TreeMap<>(overQuota);
        for (SliceState claim : claims) {
            SliceVerdict.Light lit = claim.placed()
                    ? OcsQualification.of(scene, claim.recorded().orElseThrow()).under(freeze)
                    : SliceVerdict.Light.none();
            slices.put(
                    claim.id(),
                    new SliceVerdict(
                            Objects.requireNonNull(ledger.verdicts().get(claim.id())),
                            claim.recorded(),
                            lit,
                            Optional.empty(),
                            claim.placed()
                                    && leftOnlySilence(light, claim.recorded().orElseThrow())));
        }
        slices.replaceAll((id, verdict) -> verdict.beside(light.foreign().size(), light.foreignRule()));
        return new OcsPass(
                ledger.entries(),
                Rollout.next(
                        world,
                        intent.role(),
                        world.ledgerRevision(intent.name(), intent.policy().lineage()),
                        freeze,
                        budget(scene, darkness),
                        whileRecording(world, ledger, due)),
                Agenda.of(
                        freeze,
                        due,
                        WakeTime.soonest(world, scene.book(), scene.intent().policy(), ledger.wakeAt())),
                OcsReport.of(scene, light, freeze, claims),
                OcsReport.switches(scene, light, claims, slices),
                slices,
                scene.book(),
                ledger.questions(),
                Remembered.ofSwitches(
                        ledger.fruitless(),
                        scene.stripings().known(),
                        scene.trials().known(),
                        scene.lentTori().known(),
                        scene.forecasts().predictions(),
                        scene.forecasts().iterations(),
                        scene.described()));
    }

    private static boolean leftOnlySilence(OcsCircuits light, Allocation recorded) {
        return !recorded.darkening().isEmpty() && light.onlySilent(recorded.darkening());
    }

    /** While somebody stands aside and records are being written, nothing is taken down: his own is not complete yet. */
    private static List<Due> whileRecording(World world, OcsLedger ledger, List<Due> due) {
        return world.recording().isEmpty() || !ledger.exchanging()
                ? due
                : due.stream()
                        .filter(step -> step.change().disconnects().isEmpty())
                        .toList();
    }

    /** Of what is lit; light that is there twice, before the old goes, does not widen it. */
    private static DisruptionBudget budget(OcsState scene, OcsDarkness darkness) {
        OcsIntent intent = scene.intent();
        long lit = DisruptionBudget.lit(intent.switches().values().stream().flatMap(of -> scene.device(of).stream()));
        long recorded = scene.recorded().size();
        return new DisruptionBudget(
                recorded == 0 ? lit : Math.min(lit, recorded), intent.policy().maxConcurrentPercent(), darkness);
    }
}
