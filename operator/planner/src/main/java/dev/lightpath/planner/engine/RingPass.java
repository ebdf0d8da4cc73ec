package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.OverQuota;
import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.Foresight;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.circuits.RingDarkness;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.DisruptionBudget;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.pacing.Rollout;
import dev.lightpath.planner.engine.ring.AllocationWriter;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.AllocationRecovery;
import dev.lightpath.planner.engine.state.LinkUpGrace;
import dev.lightpath.planner.engine.state.MassFailure;
import dev.lightpath.planner.engine.state.NewerDevices;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.engine.state.WakeTime;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.rack.CrossTor;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.Sitting;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One pass over one ring fabric: what to record, what to change, how everything on it stands.
 *
 * @param entries ledger writes, losers before winners
 * @param foreseen nodes in use that lose light once these are written, as far as they repair
 * @param stage the next stage, should nothing have to be recorded first
 * @param darkens nodes in use that lose light in that stage
 * @param agenda what there is to do on this fabric
 * @param left room for the groups of jobs whose pods another fabric chooses
 * @param sites who sits where, for the next pass
 * @param sittings what follows from the records that fit
 */
record RingPass(
        List<Decision.Adopt.Entry> entries,
        SortedSet<String> foreseen,
        Optional<Stage> stage,
        SortedSet<String> darkens,
        Agenda agenda,
        FabricVerdict fabric,
        SortedMap<SliceId, SliceVerdict> slices,
        FaultBook book,
        Optional<Origin.Planner> planner,
        RingCapacity.Left left,
        RingPositions sites,
        SortedMap<SliceId, Sitting> sittings) {

    static RingPass over(World world, RingIntent intent) {
        RingState scene = RingState.of(world, intent);
        List<SliceState> all = SliceState.of(world, intent);
        List<InvalidAllocation> misfits = InvalidAllocation.among(all, intent.ring(), world.recording());
        List<SliceState> known = new ArrayList<>(all);
        misfits.forEach(misfit -> known.remove(misfit.claim()));
        AllocationRecovery recognition = AllocationRecovery.of(scene, known, misfits);
        List<SliceState> restored = known.stream().map(recognition::restored).toList();
        RingCircuits light = RingCircuits.of(
                scene,
                restored,
                misfits,
                recognition.records().keySet(),
                recognition.doubts().keySet());
        ChangeFreeze freeze = ChangeFreeze.of(
                !world.illegible().records().isEmpty(),
                intent.paused(),
                scene.driver().synced(),
                NewerDevices.of(scene).isPresent(),
                light.awaitingAdoption() && intent.policy().adopt().isEmpty(),
                () -> MassFailure.standing(scene).isPresent(),
                intent.retiring());
        List<SliceState> claims = new ArrayList<>(freeze.recognises() ? restored : known);
        SortedMap<SliceId, SliceVerdict> held = new TreeMap<>();
        if (intent.policy().adopt().isEmpty()) {
            recognition.doubts().forEach((slice, doubt) -> held.put(slice, verdict(doubt)));
        }
        SortedSet<String> resetting = light.resetting();
        if (!resetting.isEmpty()) {
            known.stream()
                    .filter(claim -> claim.intent().wanted() && claim.recorded().isEmpty())
                    .forEach(claim -> held.put(claim.id(), awaits(resets(resetting))));
        }
        // whose light was found is not judged anew
        OverQuota.on(world, intent.name()).forEach((slice, verdict) -> {
            if (!recognition.records().containsKey(slice)) {
                held.putIfAbsent(slice, verdict);
            }
        });
        claims.removeIf(claim -> held.containsKey(claim.id()));
        RingLedger ledger = RingLedger.of(scene, light, freeze, claims);
        List<Due> due = light.due();
        SortedMap<SliceId, SliceVerdict> slices = new TreeMap<>();
        for (SliceState claim : claims) {
            slices.put(claim.id(), verdict(scene, light, freeze, ledger, claim));
        }
        misfits.forEach(misfit -> slices.put(misfit.claim().id(), verdict(misfit)));
        slices.putAll(held);
        Optional<Stage> stage = Rollout.next(
                world,
                intent.role(),
                world.ledgerRevision(intent.name(), intent.policy().lineage()),
                freeze,
                budget(scene, light),
                due);
        return new RingPass(
                ledger.entries(),
                Foresight.darkens(intent.ring(), claims, ledger.entries()),
                stage,
                stage.map(next -> darkens(next, due)).orElseGet(TreeSet::new),
                Agenda.of(
                        freeze,
                        due,
                        WakeTime.soonest(world, scene.book(), scene.intent().policy(), ledger.wakeAt())),
                RingReport.of(scene, light, freeze, all, misfits),
                slices,
                LinkUpGrace.and(scene.book(), scene.sites(), world.now(), due),
                ledger.planner(),
                ledger.left(),
                scene.sites(),
                sittings(scene, known));
    }

    private static DisruptionBudget budget(RingState scene, RingCircuits light) {
        return new DisruptionBudget(
                DisruptionBudget.lit(scene.driver().devices().values().stream()),
                scene.intent().policy().maxConcurrentPercent(),
                new RingDarkness(scene, light));
    }

    /** Light of a slice that stays, and light that pods use; what is placed or given up is nobody's yet or any more. */
    private static SortedSet<String> darkens(Stage stage, List<Due> due) {
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

    private static SortedMap<SliceId, Sitting> sittings(RingState scene, List<SliceState> fitting) {
        SortedMap<SliceId, Sitting> sittings = new TreeMap<>();
        for (SliceState claim : fitting) {
            if (claim.placed()) {
                sittings.put(claim.id(), claim.sitting(scene.intent().ring(), scene.sites()));
            }
        }
        return sittings;
    }

    private static SliceVerdict verdict(String doubt) {
        return awaits(
                doubt + "; write its status.allocation back as the operator's service account (kubectl lightpath export"
                        + " has it), or set spec.adopt of the fabric to Keep: then that light is nobody's and the slice is placed"
                        + " elsewhere");
    }

    private static String resets(SortedSet<String> nodes) {
        return "light that was there before goes first (spec.adopt: Reset), on "
                + Words.first(AllocationWriter.MOST_NAMED, nodes);
    }

    private static SliceVerdict awaits(String why) {
        return new SliceVerdict(
                new SliceVerdict.Placement.Unplaced(ChangeFreeze.AWAITING_ADOPTION.reason(), why),
                Optional.empty(),
                SliceVerdict.Light.none());
    }

    private static SliceVerdict verdict(InvalidAllocation misfit) {
        String why =
                misfit.why() + "; its light is left alone: describe the fabric as it was when the record was written,"
                        + " or annotate the slice lightpath.dev/force-release and place the job anew";
        Optional<Allocation> recorded = misfit.claim().recorded();
        return new SliceVerdict(
                misfit.claim().intent().wanted()
                        ? new SliceVerdict.Placement.Unplaced(Reason.INVALID_WIRING, why)
                        : new SliceVerdict.Placement.Releasing(
                                recorded.map(allocation -> allocation.nodes().size())
                                        .orElse(0),
                                why),
                recorded,
                SliceVerdict.Light.none());
    }

    private static SliceVerdict verdict(
            RingState scene, RingCircuits light, ChangeFreeze freeze, RingLedger ledger, SliceState claim) {
        Optional<Allocation> recorded = claim.recorded();
        SliceVerdict.Light lit = claim.placed()
                ? RingQualification.of(scene, light, recorded.orElseThrow()).under(freeze)
                : SliceVerdict.Light.none();
        return new SliceVerdict(
                java.util.Objects.requireNonNull(ledger.verdicts().get(claim.id())),
                recorded,
                lit,
                claim.placed() ? Optional.of(siting(scene, ledger, claim)) : Optional.empty(),
                claim.placed() && leftOnlySilence(light, recorded.orElseThrow()));
    }

    private static boolean leftOnlySilence(RingCircuits light, Allocation recorded) {
        return !recorded.releasing().isEmpty() && light.onlyBeyondReach(recorded.releasing());
    }

    private static SliceVerdict.Siting siting(RingState scene, RingLedger ledger, SliceState claim) {
        RingPlacement placement = claim.placement(scene.intent().ring());
        return new SliceVerdict.Siting(
                CrossTor.ratio(scene.intent().ring(), placement.groups()), ledger.spareNodes(placement));
    }
}
