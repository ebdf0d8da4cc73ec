package dev.lightpath.planner.engine.switches;

import dev.lightpath.planner.engine.allocation.CubeMembers;
import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
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
import java.util.function.Predicate;

/** Circuits of tori and of static topologies: an offer is asked for and recorded if it differs from the record. */
final class TopologyLedger {
    private final OcsState state;
    private final OcsCircuits circuits;
    private final CubePlacement cubes;
    private final RepairGate gate;
    private final LedgerDraft draft;

    TopologyLedger(OcsState state, OcsCircuits circuits, List<SliceState> slices, RepairGate gate, LedgerDraft draft) {
        this.state = state;
        this.circuits = circuits;
        this.cubes = new CubePlacement(state, circuits, slices);
        this.gate = gate;
        this.draft = draft;
    }

    /** The static topology of the fabric. */
    Placement serve(SliceState slice) {
        return switch (state.intent().topology()) {
            case OcsTopology.Logical logical -> new Placement.Released();
            case OcsTopology.PolarFly polarFly -> settle(slice, racks(slice, polarFly));
            case OcsTopology.TwistedTorus torus -> settle(slice, cubes.serve(slice, torus.cubes()));
        };
    }

    Placement serve(SliceState slice, Demand.TorusShape torus) {
        return settle(slice, cubes.serve(slice, CubePlacement.cubes(torus)));
    }

    private AllocationOffer racks(SliceState slice, OcsTopology.PolarFly polarFly) {
        Predicate<PortUse> taken = circuits.ports().barredTo(slice);
        List<Link> links = PolarFlyLinks.of(state.wiring(), polarFly);
        // what is found lit is recorded where it is, or it would be foreign: a drain is served from the record
        LinkPlan.Outcome plan = slice.placed()
                ? LinkPlan.plan(
                        state.wiring(),
                        state.health(),
                        taken,
                        links,
                        false,
                        slice.recorded().orElseThrow().circuits(),
                        state.stripings())
                : LinkPlan.adopt(
                        state.wiring(), state.health(), taken, links, false, circuits.explained(), state.stripings());
        return plan.light().isEmpty()
                ? AllocationOffer.withoutPorts("no circuit of the topology has two usable ports")
                : new AllocationOffer(
                        Optional.of(List.of()),
                        plan.light(),
                        plan.missing().size(),
                        "no free ports for " + Words.counted(plan.missing(), "links"));
    }

    /** Records an offer, if it differs from what is recorded and may be. */
    private Placement settle(SliceState slice, AllocationOffer offer) {
        if (!slice.placed()) {
            return place(slice, offer);
        }
        Allocation recorded = slice.recorded().orElseThrow();
        boolean same = offer.members().isEmpty()
                || (offer.members().get().equals(recorded.groups())
                        && offer.light().equals(recorded.circuits()));
        if (same) {
            return offer.missing() == 0
                    ? new Placement.Placed()
                    : Placement.Faulted.stuck(broken(slice, recorded), offer.why(), false);
        }
        List<String> broken = broken(slice, recorded);
        Optional<String> wait = gate.wait(slice.intent(), () -> circuits.hurtSince(slice));
        if (wait.isPresent()) {
            return broken.isEmpty() ? new Placement.Placed() : Placement.Faulted.waiting(broken, wait.get());
        }
        boolean gives = !recorded.circuits().minus(offer.light()).isEmpty();
        Origin origin = new Origin(
                Origin.Planner.LINK_REPAIR,
                offer.light().minus(recorded.circuits()).size(),
                broken.isEmpty()
                        ? "nothing has failed: cubes were lent or are back, or a switch is drained"
                        : "around " + String.join(", ", broken));
        Allocation next = slice.light(offer.members().get(), offer.light(), Optional.of(origin));
        if (slice.isStatic() && gives) {
            draft.lose(slice, next);
        } else {
            draft.gain(slice, next);
        }
        return broken.isEmpty() ? new Placement.Placed() : Placement.Faulted.recording(broken);
    }

    private Placement place(SliceState slice, AllocationOffer offer) {
        if (circuits.freeze() != ChangeFreeze.NONE) {
            return Placement.Unplaced.frozen(circuits.freeze());
        }
        if (offer.members().isEmpty()) {
            return new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, offer.why(), offer.lacksPorts());
        }
        Allocation given = slice.light(offer.members().get(), offer.light(), Optional.empty());
        // what is lit of it on cubes that jobs have or that failed is its own to take down
        draft.gain(slice, slice.isStatic() ? given.alsoDarkening(circuits.explained()) : given);
        return Placement.Unplaced.recording();
    }

    /** Recorded circuits that something stands against, and failed cubes. */
    private List<String> broken(SliceState slice, Allocation recorded) {
        List<String> broken = new ArrayList<>();
        CubeMembers.cubes(state.wiring(), recorded).stream()
                .filter(state.health().pods()::contains)
                .forEach(broken::add);
        broken.addAll(CubeMembers.gone(state.wiring(), slice));
        broken.addAll(state.broken(recorded.circuits()));
        return Words.few(broken);
    }
}
