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
    private final FabricPods pods;

    NewCircuits(FabricPods pods) {
        this.pods = pods;
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
        TopologyQuestion question = pods.budgets().question(slice, stagePods);
        TopologyAnswer answer = pods.budgets().answer(question, slice, stagePods, repairs);
        if (answer == null) {
            if (!slice.placed()) {
                seat(slice, stagePods, members, SwitchedLight.none());
            }
            pods.rearrangement().awaited();
            return SliceDecision.stay(new Placement.Unplaced(
                    Reason.SOLVING,
                    "circuits are being chosen for its traffic" + pods.budgets().shortened(slice)));
        }
        return switch (answer) {
            case TopologyAnswer.None none ->
                SliceDecision.stay(new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, none.why(), none.lacksPorts()));
            case TopologyAnswer.Found found ->
                assigned(
                        new Answered(slice, stagePods, members, question, found.prediction()),
                        pods.budgets().shortened(slice, found.prediction()));
            case TopologyAnswer.Failed failed ->
                failed.share()
                        .map(share -> assigned(
                                new Answered(slice, stagePods, members, question, share.prediction()),
                                ", circuits by traffic: " + failed.why()))
                        .orElseGet(
                                () -> SliceDecision.stay(new Placement.Unplaced(Reason.SOLVER_FAILED, failed.why())));
        };
    }

    /** A job with its pods and the answer to its question. */
    private record Answered(
            SliceState slice,
            StagePods stagePods,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer) {
        List<Integer> circuits() {
            return answer.circuits();
        }
    }

    /**
     * Whether DELTA found circuits in pods that the job is to have at its next restart, and free ports make them. It is
     * asked if it was not, and nobody waits for that.
     */
    boolean foreseen(SliceState slice, StagePods stagePods) {
        return Optional.ofNullable(pods.budgets().foreseen(pods.budgets().question(slice, stagePods), slice))
                .flatMap(NewCircuits::offered)
                .filter(found -> {
                    CircuitAssignment wanted =
                            pods.assigned().deal(slice, stagePods, found.circuits(), true, slice.circuits());
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

    private SliceDecision assigned(Answered job, String remark) {
        SliceState slice = job.slice();
        StagePods stagePods = job.stagePods();
        boolean movable =
                !slice.placed() || slice.intent().workload().letsLightMove() || PortBudgets.movable(slice.intent());
        CircuitAssignment wanted = pods.assigned().deal(slice, stagePods, job.circuits(), movable, slice.circuits());
        boolean never = slice.intent().reconfiguration() == Reconfiguration.NEVER;
        if (!wanted.possible() && never && mayAsk(slice, stagePods)) {
            // neighbours make room for what no later pass could improve
            Optional<Rearrangement> found = pods.rearrangement().whole(slice, stagePods, job.circuits());
            if (found.isPresent()) {
                return rearranged(job, found.get());
            }
        }
        CircuitAssignment deal = wanted.possible() ? wanted : grown(slice, stagePods, job.circuits(), wanted, movable);
        return deal.possible() ? given(job, deal.light(), deal.circuits(), remark) : amongOthers(job, deal.apart());
    }

    /** It has these circuits from now on, as far as this pass is concerned. */
    private SliceDecision given(Answered job, SwitchedLight light, List<Integer> circuits, String remark) {
        seat(job.slice(), job.stagePods(), job.members(), light);
        Prediction prediction = pods.assigned().predicted(job.question(), job.answer(), circuits);
        return SliceDecision.Change.of(
                job.slice(),
                job.members(),
                light,
                Optional.of(prediction),
                pods.assigned().words(job.question(), job.answer(), prediction)
                        + remark
                        + width(job.slice(), job.stagePods()));
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
        CircuitAssignment least = pods.assigned().deal(slice, stagePods, fewest, movable, slice.circuits());
        return least.possible() ? pods.assigned().deal(slice, stagePods, circuits, false, least.light()) : least;
    }

    /** Ports enough, but on different switches: others keep their circuits on other ports. */
    private SliceDecision amongOthers(Answered job, List<String> apart) {
        Optional<Rearrangement> found = mayAsk(job.slice(), job.stagePods())
                ? pods.rearrangement().seat(job.slice(), job.stagePods(), job.circuits())
                : Optional.empty();
        return found.map(room -> rearranged(job, room))
                .orElseGet(() -> SliceDecision.stay(
                        Placement.Unplaced.noPorts("the free ports of its pods are on different switches: of "
                                + CircuitAssignment.pairs(job.stagePods()) + " pairs of pods that talk " + apart.size()
                                + " miss a switch with a free port of each, "
                                + String.join("; ", Words.few(apart))
                                + "; no other pods with room were found that free ports join")));
    }

    private SliceDecision rearranged(Answered job, Rearrangement room) {
        return given(job, room.own(), room.circuits(), "");
    }

    private void seat(SliceState slice, StagePods stagePods, List<Allocation.Group> members, SwitchedLight circuits) {
        FabricPodPorts room = pods.ports();
        room.seat(slice, stagePods, circuits.minus(slice.circuits()), room.ends(circuits));
        pods.nodes().take(members, slice);
    }
}
