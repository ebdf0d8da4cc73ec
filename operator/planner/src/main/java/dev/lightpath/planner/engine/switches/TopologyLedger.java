package dev.lightpath.planner.engine.switches;

import dev.lightpath.planner.engine.allocation.CubeMembers;
import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.circuits.OcsOnset;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.PolarFlyLinks;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Circuits of tori and of static topologies: an offer is asked for and recorded if it differs from the record. */
final class TopologyLedger {
    private final OcsState state;
    private final OcsCircuits light;
    private final ChangeFreeze freeze;
    private final CubePlacement cubes;
    private final RepairGate gate;
    private final LedgerDraft draft;

    TopologyLedger(
            OcsState state,
            OcsCircuits light,
            ChangeFreeze freeze,
            List<SliceState> claims,
            RepairGate gate,
            LedgerDraft draft) {
        this.state = state;
        this.light = light;
        this.freeze = freeze;
        this.cubes = new CubePlacement(state, light, claims);
        this.gate = gate;
        this.draft = draft;
    }

    static boolean isStatic(SliceState claim) {
        return claim.intent().demand() instanceof Demand.Topology;
    }

    /** The static topology of the fabric. */
    Placement serve(SliceState claim) {
        return switch (state.intent().topology()) {
            case OcsTopology.Logical logical -> new Placement.Released();
            case OcsTopology.PolarFly polarFly -> settle(claim, racks(claim, polarFly));
            case OcsTopology.TwistedTorus torus -> settle(claim, cubes.serve(claim, torus.cubes()));
        };
    }

    /** A torus for a job. */
    Placement serve(SliceState claim, Demand.TorusShape torus) {
        return settle(claim, cubes.serve(claim, CubePlacement.cubes(torus)));
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
                draft.gain(claim, recorded);
            }
            return offer.missing() == 0
                    ? new Placement.Placed()
                    : new Placement.Faulted(broken(claim, recorded), offer.why(), true, false);
        }
        List<String> broken = broken(claim, recorded);
        Optional<String> wait = gate.wait(
                claim.intent(), () -> OcsOnset.of(state, claim.recorded().orElseThrow()));
        if (wait.isPresent()) {
            return broken.isEmpty() ? new Placement.Placed() : new Placement.Faulted(broken, wait.get(), false, false);
        }
        boolean gives = !recorded.circuits().minus(offer.light()).isEmpty();
        Origin origin = new Origin(
                Origin.Planner.LINK_REPAIR,
                offer.light().minus(recorded.circuits()).size(),
                broken.isEmpty()
                        ? "nothing has failed: cubes were lent or are back, or a switch is drained"
                        : "around " + String.join(", ", broken));
        Allocation next = claim.light(offer.members().get(), offer.light(), Optional.of(origin));
        if (isStatic(claim) && gives) {
            draft.lose(claim, next);
        } else {
            draft.gain(claim, next);
        }
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
        // what is lit of it on cubes that jobs have or that failed is its own to take down
        draft.gain(claim, isStatic(claim) ? given.alsoDarkening(light.explained()) : given);
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
}
