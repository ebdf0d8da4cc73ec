package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Reconfiguration;
import java.util.List;
import java.util.Optional;

/** Circuits for a job that was given pods in this pass: DELTA is asked, and its answer is put on real ports. */
final class NewCircuits {
    private final FabricPodPorts room;
    private final FabricPodNodes nodes;
    private final PortBudgets budgets;
    private final AssignedCircuits assigned;
    private final PortRearrangement rearrangement;

    NewCircuits(FabricPods pods) {
        this.room = pods.ports();
        this.nodes = pods.nodes();
        this.budgets = pods.budgets();
        this.assigned = pods.assigned();
        this.rearrangement = pods.rearrangement();
    }

    /** @param members of its stages, in its pods */
    SliceDecision light(SliceState slice, Demand.Traffic traffic, StagePods stagePods, List<Allocation.Group> members) {
        if (!stagePods.deal().talks()) {
            seat(slice, stagePods, members, SwitchedLight.none());
            return SliceDecision.Change.of(
                    slice, members, SwitchedLight.none(), Optional.empty(), "one replica in one pod");
        }
        TopologyQuestion question = budgets.question(slice, traffic, stagePods);
        TopologyAnswer answer = budgets.answer(question, slice, stagePods, false);
        if (answer == null) {
            seat(slice, stagePods, members, SwitchedLight.none());
            rearrangement.awaited();
            return SliceDecision.stay(new Placement.Unplaced(
                    Reason.SOLVING, "circuits are being chosen for its traffic" + budgets.shortened(slice)));
        }
        return switch (answer) {
            case TopologyAnswer.None none ->
                SliceDecision.stay(new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, none.why(), none.lacksPorts()));
            case TopologyAnswer.Found found ->
                lit(
                        slice,
                        stagePods,
                        members,
                        question,
                        found.prediction(),
                        budgets.shortened(slice, found.prediction()));
            case TopologyAnswer.Failed failed ->
                failed.share()
                        .map(share -> lit(
                                slice,
                                stagePods,
                                members,
                                question,
                                share.prediction(),
                                ", circuits by traffic: " + failed.why()))
                        .orElseGet(
                                () -> SliceDecision.stay(new Placement.Unplaced(Reason.SOLVER_FAILED, failed.why())));
        };
    }

    private SliceDecision lit(
            SliceState slice,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            String remark) {
        CircuitAssignment wanted = assigned.deal(slice, stagePods, answer.circuits(), true, SwitchedLight.none());
        boolean never = slice.intent().reconfiguration() == Reconfiguration.NEVER;
        if (!wanted.possible() && never) {
            // neighbours make room for what no later pass could improve
            Optional<Rearrangement> found = rearrangement.whole(slice, stagePods, answer.circuits());
            if (found.isPresent()) {
                return rearranged(slice, stagePods, members, question, answer, found.get());
            }
        }
        CircuitAssignment deal = wanted.possible() ? wanted : grown(slice, stagePods, answer.circuits(), wanted);
        if (!deal.possible()) {
            return amongOthers(slice, stagePods, members, question, answer, deal.apart());
        }
        seat(slice, stagePods, members, deal.light());
        Prediction prediction = assigned.predicted(question, answer, deal.circuits());
        return SliceDecision.Change.of(
                slice, members, deal.light(), Optional.of(prediction), prediction.words() + remark);
    }

    /**
     * Many circuits of some pods can leave others none where fewer would join all: first the fewest, then what is free
     * beside them.
     */
    private CircuitAssignment grown(
            SliceState slice, StagePods stagePods, List<Integer> circuits, CircuitAssignment apart) {
        List<Integer> fewest = stagePods.deal().fewest();
        if (circuits.equals(fewest)) {
            return apart;
        }
        CircuitAssignment least = assigned.deal(slice, stagePods, fewest, true, SwitchedLight.none());
        return least.possible() ? assigned.deal(slice, stagePods, circuits, false, least.light()) : least;
    }

    /** Ports enough, but on different switches: others keep their circuits on other ports. */
    private SliceDecision amongOthers(
            SliceState slice,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            List<String> apart) {
        Rearrangement found =
                rearrangement.seat(slice, stagePods, answer.circuits()).orElse(null);
        if (found == null) {
            return SliceDecision.stay(new Placement.Unplaced(
                    Reason.INSUFFICIENT_CAPACITY,
                    "the free ports of its pods are on different switches: of "
                            + CircuitAssignment.pairs(stagePods) + " pairs of pods that talk " + apart.size()
                            + " miss a switch with a free port of each, "
                            + String.join("; ", Words.few(apart))
                            + "; no other pods with room were found that free ports join",
                    true));
        }
        return rearranged(slice, stagePods, members, question, answer, found);
    }

    private SliceDecision rearranged(
            SliceState slice,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            Rearrangement found) {
        seat(slice, stagePods, members, found.own());
        Prediction prediction = assigned.predicted(question, answer, found.circuits());
        return SliceDecision.Change.of(slice, members, found.own(), Optional.of(prediction), prediction.words());
    }

    private void seat(SliceState slice, StagePods stagePods, List<Allocation.Group> members, SwitchedLight lit) {
        room.seat(slice, stagePods, lit, room.ends(lit));
        nodes.take(members, slice);
    }
}
