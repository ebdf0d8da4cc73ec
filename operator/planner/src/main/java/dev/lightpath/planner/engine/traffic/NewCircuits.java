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

/**
 * Circuits for a job that was given pods in this pass: DELTA is asked, and its answer is put on real ports. A job that
 * has circuits already, and becomes wider or narrower, keeps those of them that serve on.
 */
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

    /**
     * @param members of its stages, in its pods
     * @param repairs whether the job lost what it has a place with
     */
    SliceDecision light(SliceState slice, StagePods stagePods, List<Allocation.Group> members, boolean repairs) {
        if (!stagePods.deal().talks()) {
            seat(slice, stagePods, members, SwitchedLight.none());
            return SliceDecision.Change.of(
                    slice,
                    members,
                    SwitchedLight.none(),
                    Optional.empty(),
                    "one replica in one pod" + width(slice, stagePods));
        }
        TopologyQuestion question = budgets.question(slice, stagePods);
        TopologyAnswer answer = budgets.answer(question, slice, stagePods, repairs);
        if (answer == null) {
            if (!slice.placed()) {
                seat(slice, stagePods, members, SwitchedLight.none());
            }
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

    /**
     * Whether DELTA found circuits in pods that the job is to have at its next restart, and free ports make them. It is
     * asked if it was not, and nobody waits for that.
     */
    boolean foreseen(SliceState slice, StagePods stagePods) {
        return Optional.ofNullable(budgets.foreseen(budgets.question(slice, stagePods), slice))
                .flatMap(NewCircuits::offered)
                .filter(found -> {
                    CircuitAssignment wanted = assigned.deal(slice, stagePods, found.circuits(), true, slice.lit());
                    return wanted.possible()
                            || grown(slice, stagePods, found.circuits(), wanted, true)
                                    .possible();
                })
                .isPresent();
    }

    private static Optional<Prediction> offered(TopologyAnswer answer) {
        return switch (answer) {
            case TopologyAnswer.Found found -> Optional.of(found.prediction());
            case TopologyAnswer.Failed failed -> failed.share().map(TopologyAnswer.Found::prediction);
            case TopologyAnswer.None none -> Optional.empty();
        };
    }

    private SliceDecision lit(
            SliceState slice,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            String remark) {
        boolean movable =
                !slice.placed() || slice.intent().workload().letsLightMove() || PortBudgets.movable(slice.intent());
        CircuitAssignment wanted = assigned.deal(slice, stagePods, answer.circuits(), movable, slice.lit());
        boolean never = slice.intent().reconfiguration() == Reconfiguration.NEVER;
        if (!wanted.possible() && never && mayAsk(slice, stagePods)) {
            // neighbours make room for what no later pass could improve
            Optional<Rearrangement> found = rearrangement.whole(slice, stagePods, answer.circuits());
            if (found.isPresent()) {
                return rearranged(slice, stagePods, members, question, answer, found.get());
            }
        }
        CircuitAssignment deal =
                wanted.possible() ? wanted : grown(slice, stagePods, answer.circuits(), wanted, movable);
        if (!deal.possible()) {
            return amongOthers(slice, stagePods, members, question, answer, deal.apart());
        }
        seat(slice, stagePods, members, deal.light());
        Prediction prediction = assigned.predicted(question, answer, deal.circuits());
        return SliceDecision.Change.of(
                slice,
                members,
                deal.light(),
                Optional.of(prediction),
                prediction.words() + remark + width(slice, stagePods));
    }

    /**
     * Whether neighbours make room: only for the replicas that are enough, and not for a job that has circuits already.
     */
    private static boolean mayAsk(SliceState slice, StagePods stagePods) {
        return !slice.placed()
                && slice.intent().demand() instanceof Demand.Traffic asked
                && stagePods.parallelism().replicas() <= asked.leastReplicas();
    }

    /** How many of its replicas a new place is for, as a clause that follows others; empty where it is for all. */
    private static String width(SliceState slice, StagePods stagePods) {
        int has = stagePods.parallelism().replicas();
        return !slice.placed()
                        && slice.intent().demand() instanceof Demand.Traffic asked
                        && has < asked.replicas().wanted()
                ? "; " + asked.replicas().told(has)
                : "";
    }

    /**
     * Many circuits of some pods can leave others none where fewer would join all: first the fewest, then what is free
     * beside them.
     */
    private CircuitAssignment grown(
            SliceState slice, StagePods stagePods, List<Integer> circuits, CircuitAssignment apart, boolean movable) {
        List<Integer> fewest = stagePods.deal().fewest();
        if (circuits.equals(fewest)) {
            return apart;
        }
        CircuitAssignment least = assigned.deal(slice, stagePods, fewest, movable, slice.lit());
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
        Rearrangement found = mayAsk(slice, stagePods)
                ? rearrangement.seat(slice, stagePods, answer.circuits()).orElse(null)
                : null;
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
        return SliceDecision.Change.of(
                slice, members, found.own(), Optional.of(prediction), prediction.words() + width(slice, stagePods));
    }

    private void seat(SliceState slice, StagePods stagePods, List<Allocation.Group> members, SwitchedLight lit) {
        room.seat(slice, stagePods, lit.minus(slice.lit()), room.ends(lit));
        nodes.take(members, slice);
    }
}
