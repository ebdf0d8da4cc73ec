package dev.lightpath.planner.engine.switches;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.CubeMembers;
import dev.lightpath.planner.engine.allocation.FabricLedger;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.circuits.OcsDarkness;
import dev.lightpath.planner.engine.circuits.OcsOnset;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.traffic.TrafficLedger;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.PolarFlyLinks;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.PlannerCache;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Which slice has which circuits of one fabric of switches: places, repairs and releases slices, jobs in order of
 * precedence, the static topology last. What it decides are ledger entries.
 */
public final class OcsLedger implements FabricLedger {

    private final OcsState state;
    private final OcsCircuits light;
    private final ChangeFreeze freeze;
    private final List<Decision.Adopt.Entry> losses = new ArrayList<>();
    private final List<Decision.Adopt.Entry> gains = new ArrayList<>();
    private final SortedMap<SliceId, Placement> verdicts = new TreeMap<>();
    private final CubePlacement cubes;
    private final TrafficLedger traffics;
    private final RepairGate gate;
    private final OcsDarkness darkness;

    private OcsLedger(
            OcsState state,
            OcsCircuits light,
            ChangeFreeze freeze,
            List<SliceState> claims,
            RingCapacity groups,
            OcsDarkness darkness) {
        this.state = state;
        this.light = light;
        this.freeze = freeze;
        this.darkness = darkness;
        this.cubes = new CubePlacement(state, light, claims);
        this.gate = new RepairGate(freeze, state.world().now());
        this.traffics = new TrafficLedger(state, light, freeze, claims, groups, gate);
    }

    public static OcsLedger of(
            OcsState state,
            OcsCircuits light,
            ChangeFreeze freeze,
            List<SliceState> claims,
            RingCapacity groups,
            OcsDarkness darkness) {
        OcsLedger ledger = new OcsLedger(state, light, freeze, claims, groups, darkness);
        List<SliceState> inTurn = new ArrayList<>(claims);
        // static light gives way to jobs: it is served when they have their cubes
        inTurn.sort(Comparator.comparing((SliceState claim) -> claim.intent().demand() instanceof Demand.Topology)
                .thenComparing(claim -> !ledger.traffics.returns(claim)));
        for (SliceState claim : inTurn) {
            ledger.verdicts.put(claim.id(), claim.intent().wanted() ? ledger.wanted(claim) : ledger.release(claim));
        }
        // what is released or tidied in this pass is recorded once
        if (ledger.losses.isEmpty() && ledger.gains.isEmpty()) {
            ledger.traffics.improve();
        }
        ledger.traffics.asides().forEach(ledger::record);
        return ledger;
    }

    @Override
    public List<Decision.Adopt.Entry> entries() {
        List<Decision.Adopt.Entry> entries = new ArrayList<>(losses);
        entries.addAll(gains);
        return entries;
    }

    @Override
    public SortedMap<SliceId, Placement> verdicts() {
        return verdicts;
    }

    /** Whether a slice gave up circuits for a moment. */
    public boolean exchanging() {
        return traffics.exchanging();
    }

    /** When the first hold-off of a job ends; now, where a search goes on. */
    @Override
    public Optional<Instant> wakeAt() {
        return traffics.unfinished() ? Optional.of(state.world().now()) : gate.opensAt();
    }

    /** What the last search for better circuits read that found nothing. */
    public Optional<PlannerCache.InVain> fruitless() {
        return traffics.fruitless();
    }

    /** What DELTA is asked, by digest. */
    public SortedMap<String, Asked> questions() {
        return traffics.questions();
    }

    private Placement release(SliceState claim) {
        Allocation recorded = claim.recorded().orElse(null);
        if (recorded == null || recorded.released()) {
            return new Placement.Released();
        }
        if (claim.placed()) {
            if (claim.intent().workload().usesLight() && !claim.intent().forced()) {
                return new Placement.Releasing(recorded.circuits().size(), "pods of the job still run");
            }
            record(losses, claim, claim.light(List.of(), SwitchedLight.none(), Optional.empty()));
            return new Placement.Releasing(recorded.circuits().size(), "giving up");
        }
        tidy(claim, recorded);
        String wait = freeze.releases() ? "waiting for darkness to be read back" : freeze.message();
        return new Placement.Releasing(recorded.darkening().size(), wait, light.onlySilent(recorded.darkening()));
    }

    /** Strikes circuits off the record that are read back dark, and for which there is light again. */
    private void tidy(SliceState claim, Allocation recorded) {
        SwitchedLight dark = light.readBackDark(claim, recorded.darkening());
        if (claim.placed()) {
            dark = dark.minus(darkness.counting(dark));
        }
        if (!dark.isEmpty()) {
            record(losses, claim, claim.darkened(dark));
        }
    }

    /**
     * A slice that is wanted again before all that it gave up was read back dark holds ports that it or others may wait
     * for.
     */
    private Placement wanted(SliceState claim) {
        Placement placement = serve(claim);
        if (!claim.placed()
                && entries().stream().noneMatch(entry -> entry.slice().equals(claim.id()))) {
            claim.recorded().ifPresent(recorded -> tidy(claim, recorded));
        }
        return placement;
    }

    private Placement serve(SliceState claim) {
        if (!state.findings().isEmpty() && !claim.placed()) {
            return new Placement.Unplaced(Reason.INVALID_WIRING, String.join("; ", state.findings()));
        }
        boolean searched = switch (claim.intent().demand()) {
            case Demand.Topology topology -> true;
            case Demand.TorusShape torus -> true;
            case Demand.ScaleUp scaleUp -> false;
            case Demand.Traffic traffic -> false;
        };
        if (searched && freeze != ChangeFreeze.NONE && !claim.placed()) {
            return new Placement.Unplaced(freeze.reason(), freeze.message());
        }
        SortedSet<String> resetting = freeze == ChangeFreeze.NONE ? light.resetting() : Collections.emptySortedSet();
        if (!resetting.isEmpty()) {
            // who has a place without light waits for more
            return claim.placed()
                    ? new Placement.Placed()
                    : new Placement.Unplaced(
                            ChangeFreeze.AWAITING_ADOPTION.reason(),
                            "light that was there before goes first (spec.adopt: Reset), on "
                                    + Words.sorted(resetting));
        }
        return switch (claim.intent().demand()) {
            case Demand.ScaleUp scaleUp ->
                new Placement.Unplaced(
                        Reason.FABRIC_KIND_MISMATCH,
                        "fabric " + state.intent().name() + " has optical switches; groups need one of transceivers");
            case Demand.Topology topology -> standing(claim);
            case Demand.Traffic traffic -> traffic(claim, traffic);
            case Demand.TorusShape torus ->
                state.intent().topology() instanceof OcsTopology.TwistedTorus
                        ? settle(claim, cubes.serve(claim, CubePlacement.cubes(torus)))
                        : new Placement.Unplaced(
                                Reason.FABRIC_KIND_MISMATCH,
                                "fabric " + state.intent().name()
                                        + " makes no tori: scaleOut.torus needs one with topology.twistedTorus");
        };
    }

    private Placement traffic(SliceState claim, Demand.Traffic traffic) {
        if (claim.lost()) {
            record(gains, claim, claim.recorded().orElseThrow());
            return new Placement.Placed();
        }
        if (!state.findings().isEmpty()) {
            return new Placement.Placed();
        }
        SliceDecision turn = traffics.serve(claim, traffic);
        switch (turn) {
            case SliceDecision.Stay stay -> {
                if (claim.placed()) {
                    tidy(claim, claim.recorded().orElseThrow());
                }
            }
            case SliceDecision.Change change -> record(claim, change);
        }
        return turn.placement();
    }

    private void record(SliceState claim, SliceDecision.Change change) {
        SwitchedLight before = claim.recorded().map(Allocation::circuits).orElse(SwitchedLight.none());
        boolean gives = !before.minus(change.light()).isEmpty();
        record(
                gives ? losses : gains,
                claim,
                claim.light(change.groups(), change.light(), change.prediction(), change.origin()));
    }

    private Placement standing(SliceState claim) {
        return switch (state.intent().topology()) {
            case OcsTopology.Logical logical -> new Placement.Released();
            case OcsTopology.PolarFly polarFly -> settle(claim, racks(claim, polarFly));
            case OcsTopology.TwistedTorus torus -> settle(claim, cubes.serve(claim, torus.cubes()));
        };
    }

    private AllocationOffer racks(SliceState claim, OcsTopology.PolarFly polarFly) {
        if (!state.findings().isEmpty()) {
            return AllocationOffer.asRecorded(claim);
        }
        Set<PortUse> taken = light.takenFrom(claim);
        List<Link> links = PolarFlyLinks.of(state.wiring(), polarFly);
        // what is found lit is recorded where it is, or it would be foreign: a drain is served from the record
        LinkPlan.Outcome plan = claim.placed()
                ? LinkPlan.plan(
                        state.wiring(),
                        state.health(),
                        taken,
                        links,
                        false,
                        claim.recorded().orElseThrow().circuits(),
                        state.stripings())
                : LinkPlan.adopt(
                        state.wiring(), state.health(), taken, links, false, light.explained(), state.stripings());
        return plan.light().isEmpty()
                ? AllocationOffer.withoutPorts("no circuit of the topology has two usable ports")
                : new AllocationOffer(
                        Optional.of(List.of()),
                        plan.light(),
                        plan.missing().size(),
                        "no free ports for " + Words.counted(plan.missing(), "links"));
    }

    /** Records an offer, if it differs from what is recorded and may be. */
    private Placement settle(SliceState claim, AllocationOffer offer) {
        if (!claim.placed()) {
            return place(claim, offer);
        }
        Allocation recorded = claim.recorded().orElseThrow();
        boolean same = offer.members().isEmpty()
                || (offer.members().get().equals(recorded.groups())
                        && offer.light().equals(recorded.circuits()));
        if (same) {
            if (claim.lost()) {
                record(gains, claim, recorded);
            } else {
                tidy(claim, recorded);
            }
            return offer.missing() == 0
                    ? new Placement.Placed()
                    : new Placement.Faulted(broken(claim, recorded), offer.why(), true, false);
        }
        List<String> broken = broken(claim, recorded);
        Optional<String> wait = gate.wait(
                claim.intent(), () -> OcsOnset.of(state, claim.recorded().orElseThrow()));
        if (wait.isPresent()) {
            tidy(claim, recorded);
            return broken.isEmpty() ? new Placement.Placed() : new Placement.Faulted(broken, wait.get(), false, false);
        }
        boolean gives = !recorded.circuits().minus(offer.light()).isEmpty();
        boolean standing = claim.intent().demand() instanceof Demand.Topology;
        record(
                standing && gives ? losses : gains,
                claim,
                claim.light(
                        offer.members().get(),
                        offer.light(),
                        Optional.of(new Origin(
                                Origin.Planner.LINK_REPAIR,
                                offer.light().minus(recorded.circuits()).size(),
                                broken.isEmpty()
                                        ? "nothing has failed: cubes were lent or are back, or a switch is drained"
                                        : "around " + String.join(", ", broken)))));
        return broken.isEmpty()
                ? new Placement.Placed()
                : new Placement.Faulted(broken, "a repair was found and is being recorded", false, false);
    }

    private Placement place(SliceState claim, AllocationOffer offer) {
        if (freeze != ChangeFreeze.NONE) {
            return new Placement.Unplaced(freeze.reason(), freeze.message());
        }
        if (offer.members().isEmpty()) {
            return new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, offer.why(), offer.lacksPorts());
        }
        Allocation given = claim.light(offer.members().get(), offer.light(), Optional.empty());
        // what burns of it on cubes that jobs have or that failed is its own to take down
        record(
                gains,
                claim,
                claim.intent().demand() instanceof Demand.Topology ? given.alsoDarkening(light.explained()) : given);
        return Placement.Unplaced.recording();
    }

    /** Recorded circuits that something stands against, and failed cubes. */
    private List<String> broken(SliceState claim, Allocation recorded) {
        List<String> broken = new ArrayList<>();
        CubeMembers.cubes(state.wiring(), recorded).stream()
                .filter(state.health().pods()::contains)
                .forEach(broken::add);
        broken.addAll(CubeMembers.gone(state.wiring(), claim));
        broken.addAll(state.broken(recorded.circuits()));
        return Words.few(broken);
    }

    private static void record(List<Decision.Adopt.Entry> entries, SliceState claim, Allocation next) {
        entries.add(new Decision.Adopt.Entry(claim.id(), claim.version(), next));
    }
}
