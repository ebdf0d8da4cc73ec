package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.ring.ScaleOutPlacement;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.PlannerCache;
import dev.lightpath.planner.world.Reconfiguration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Pods and circuits for jobs whose traffic decides: a place first, then the question to DELTA, then its answer on real
 * ports. What is placed keeps its pods; its circuits change when some fail, when others are owed ports, or when that is
 * worth it.
 */
public final class TrafficLedger {
    private final OcsState state;
    private final ChangeFreeze freeze;
    private final FabricPodPorts room;
    private final FabricPodNodes nodes;
    private final PortBudgets budgets;
    private final FabricPodSelection choice;
    private final RingCapacity groups;
    private final AssignedCircuits dealt;
    private final PortRearrangement asides;
    private final PlacedTraffic placed;

    public TrafficLedger(
            OcsState state,
            OcsCircuits light,
            ChangeFreeze freeze,
            List<SliceState> claims,
            RingCapacity groups,
            RepairGate gate) {
        this.state = state;
        this.freeze = freeze;
        this.groups = groups;
        this.room = new FabricPodPorts(state, light, claims);
        this.nodes = new FabricPodNodes(state);
        this.budgets = new PortBudgets(state, room);
        this.dealt = new AssignedCircuits(state, light, room);
        this.choice = new FabricPodSelection(state, room, nodes, budgets, groups, dealt);
        this.asides = new PortRearrangement(state, light, room, dealt);
        this.placed = new PlacedTraffic(state, freeze, nodes, budgets, choice, groups, gate, dealt, asides);
        if (freeze == ChangeFreeze.NONE && state.findings().isEmpty()) {
            claims.forEach(this::expect);
        }
    }

    /**
     * A slice that waits gets its ports before any is served: slices that were lent its share give it back, and none
     * grows into it.
     */
    private void expect(SliceState claim) {
        if (claim.intent().wanted()
                && !claim.placed()
                && !claim.lost()
                && ScaleOutPlacement.awaited(state.world(), claim.intent()).isEmpty()
                && claim.intent().demand() instanceof Demand.Traffic traffic) {
            switch (choice.choose(claim, traffic)) {
                case FabricPodSelection.Found.Pods pods -> room.expect(claim, pods.stagePods(), false);
                case FabricPodSelection.Found.Later later -> room.expect(claim, later.stagePods(), true);
                case FabricPodSelection.Found.None none -> {
                    if (none.everFits()) {
                        room.waits(claim);
                    }
                }
            }
        }
    }

    /** Whether a job gave up circuits for a moment, and takes others before any other job is served. */
    public boolean returns(SliceState claim) {
        return room.aside().contains(claim.id());
    }

    /** Whether any does. */
    public boolean exchanging() {
        return !room.aside().isEmpty();
    }

    /** What DELTA is asked, by digest. */
    public SortedMap<String, Asked> questions() {
        return budgets.unanswered();
    }

    public SliceDecision serve(SliceState claim, Demand.Traffic traffic) {
        if (!(state.intent().topology() instanceof OcsTopology.Logical)) {
            return stay(new Placement.Unplaced(
                    Reason.FABRIC_KIND_MISMATCH,
                    "fabric " + state.intent().name()
                            + " has a topology of its own; circuits that follow a job need one with topology.logical"));
        }
        if (asides.records().containsKey(claim)) {
            return stay(new Placement.Placed());
        }
        SliceDecision turn = claim.placed() ? placed.keep(claim, traffic) : place(claim, traffic);
        if (turn instanceof SliceDecision.Change) {
            asides.settled(claim);
        }
        return turn;
    }

    private static SliceDecision stay(Placement placement) {
        return new SliceDecision.Stay(placement);
    }

    private SliceDecision place(SliceState claim, Demand.Traffic traffic) {
        if (freeze != ChangeFreeze.NONE) {
            return stay(new Placement.Unplaced(freeze.reason(), freeze.message()));
        }
        Optional<String> awaited = ScaleOutPlacement.awaited(state.world(), claim.intent());
        if (awaited.isPresent()) {
            return stay(new Placement.Unplaced(Reason.AWAITING_PODS, "waits for its slice on fabric " + awaited.get()));
        }
        return switch (choice.choose(claim, traffic)) {
            case FabricPodSelection.Found.None none ->
                stay(new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, none.why(), none.lacksPorts()));
            case FabricPodSelection.Found.Later later ->
                stay(new Placement.Unplaced(
                        Reason.INSUFFICIENT_CAPACITY,
                        "waits for other jobs to give back ports beyond their share of pods "
                                + Words.sorted(later.stagePods().gpusByPod().keySet()),
                        true));
            case FabricPodSelection.Found.Pods pods -> light(claim, traffic, pods.stagePods());
        };
    }

    private SliceDecision light(SliceState claim, Demand.Traffic traffic, StagePods stagePods) {
        Optional<List<Allocation.Group>> members =
                nodes.seat(stagePods, claim.intent().job(), groups.chooses(claim));
        if (members.isEmpty()) {
            return stay(new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, "the free nodes of its pods are too few"));
        }
        if (!stagePods.deal().talks()) {
            seat(claim, stagePods, members.get(), SwitchedLight.none());
            return SliceDecision.Change.of(
                    claim, members.get(), SwitchedLight.none(), Optional.empty(), "one replica in one pod");
        }
        TopologyQuestion question = budgets.question(claim, traffic, stagePods);
        TopologyAnswer answer = budgets.answer(question, claim, stagePods, false);
        if (answer == null) {
            seat(claim, stagePods, members.get(), SwitchedLight.none());
            asides.awaited();
            return stay(new Placement.Unplaced(
                    Reason.SOLVING, "circuits are being chosen for its traffic" + budgets.shortened(claim)));
        }
        return switch (answer) {
            case TopologyAnswer.None none ->
                stay(new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, none.why(), none.lacksPorts()));
            case TopologyAnswer.Found found ->
                lit(
                        claim,
                        stagePods,
                        members.get(),
                        question,
                        found.prediction(),
                        budgets.shortened(claim, found.prediction()));
            case TopologyAnswer.Failed failed ->
                failed.share()
                        .map(share -> lit(
                                claim,
                                stagePods,
                                members.get(),
                                question,
                                share.prediction(),
                                ", circuits by traffic: " + failed.why()))
                        .orElseGet(() -> stay(new Placement.Unplaced(Reason.SOLVER_FAILED, failed.why())));
        };
    }

    private SliceDecision lit(
            SliceState claim,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            String remark) {
        CircuitAssignment wanted = dealt.deal(claim, stagePods, answer.circuits(), true, SwitchedLight.none());
        boolean never = claim.intent().reconfiguration() == Reconfiguration.NEVER;
        if (!wanted.possible() && never) {
            // neighbours make room for what no later pass could improve
            Optional<Rearrangement> found = asides.whole(claim, stagePods, answer.circuits());
            if (found.isPresent()) {
                return rearranged(claim, stagePods, members, question, answer, found.get());
            }
        }
        CircuitAssignment deal = wanted.possible() ? wanted : grown(claim, stagePods, answer.circuits(), wanted);
        if (!deal.possible()) {
            return amongOthers(claim, stagePods, members, question, answer, deal.apart());
        }
        seat(claim, stagePods, members, deal.light());
        Prediction prediction = dealt.predicted(question, answer, deal.circuits());
        return SliceDecision.Change.of(
                claim, members, deal.light(), Optional.of(prediction), prediction.words() + remark);
    }

    /**
     * Many circuits of some pods can leave others none where fewer would join all: first the fewest, then what is free
     * beside them.
     */
    private CircuitAssignment grown(
            SliceState claim, StagePods stagePods, List<Integer> circuits, CircuitAssignment apart) {
        List<Integer> fewest = stagePods.deal().fewest();
        if (circuits.equals(fewest)) {
            return apart;
        }
        CircuitAssignment least = dealt.deal(claim, stagePods, fewest, true, SwitchedLight.none());
        return least.possible() ? dealt.deal(claim, stagePods, circuits, false, least.light()) : least;
    }

    /** Ports enough, but on different switches: others keep their circuits on other ports. */
    private SliceDecision amongOthers(
            SliceState claim,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            List<String> apart) {
        Rearrangement found = asides.seat(claim, stagePods, answer.circuits()).orElse(null);
        if (found == null) {
            return stay(new Placement.Unplaced(
                    Reason.INSUFFICIENT_CAPACITY,
                    "the free ports of its pods are on different switches: of "
                            + CircuitAssignment.pairs(stagePods) + " pairs of pods that talk " + apart.size()
                            + " miss a switch with a free port of each, "
                            + String.join("; ", Words.few(apart))
                            + "; no other pods with room were found that free ports join",
                    true));
        }
        return rearranged(claim, stagePods, members, question, answer, found);
    }

    private SliceDecision rearranged(
            SliceState claim,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            Rearrangement found) {
        seat(claim, stagePods, members, found.own());
        Prediction prediction = dealt.predicted(question, answer, found.circuits());
        return SliceDecision.Change.of(claim, members, found.own(), Optional.of(prediction), prediction.words());
    }

    /** Once all are served and nothing else is recorded: better circuits for who has a place. */
    public void improve() {
        asides.improve();
    }

    /** Whether that search goes on in the next pass. */
    public boolean unfinished() {
        return asides.unfinished();
    }

    /** What the last search for better circuits read that found nothing. */
    public Optional<PlannerCache.InVain> fruitless() {
        return asides.fruitless();
    }

    /** Jobs that make room for another one, in the order in which their records are written. */
    public Map<SliceState, SliceDecision.Change> asides() {
        return asides.records();
    }

    private void seat(SliceState claim, StagePods stagePods, List<Allocation.Group> members, SwitchedLight lit) {
        room.seat(claim, stagePods, lit, room.ends(lit));
        if (!groups.chooses(claim)) {
            nodes.take(members, claim.intent().job());
        }
    }
}
