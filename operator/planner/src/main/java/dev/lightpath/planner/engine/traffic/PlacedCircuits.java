package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import java.util.List;
import java.util.Optional;

/**
 * Circuits of a job that has its pods: they change when some fail, when others are owed ports, or when better ones are
 * worth it.
 */
final class PlacedCircuits {
    private final FabricPods pods;

    PlacedCircuits(FabricPods pods) {
        this.pods = pods;
    }

    /** A job that has its pods, with the question about its circuits. */
    private record Served(SliceState slice, StagePods stagePods, Allocation recorded, TopologyQuestion question) {
        boolean movable() {
            return PortBudgets.movable(slice.intent());
        }
    }

    private CircuitAssignment deal(Served job, List<Integer> circuits, boolean mayMove) {
        return pods.assigned()
                .deal(
                        job.slice(),
                        job.stagePods(),
                        circuits,
                        mayMove,
                        job.recorded().circuits());
    }

    private SliceDecision give(Served job, SwitchedLight lit, Prediction what, String why) {
        return pods.assigned().give(job.slice(), job.recorded(), lit, what, why);
    }

    /**
     * Circuits for a job that has its pods.
     *
     * @param was what its record expects of its circuits
     */
    SliceDecision serve(SliceState slice, StagePods stagePods, Allocation recorded, Prediction was) {
        Served job = new Served(slice, stagePods, recorded, pods.budgets().question(slice, stagePods));
        List<String> broken = Words.few(pods.assigned().broken(recorded));
        CircuitAssignment kept = deal(job, was.circuits(), job.movable());
        boolean joins = PortBudgets.joins(job.question(), stagePods.deal());
        boolean other = !job.question().digest().equals(was.question());
        TopologyAnswer answer = joins && (other || !kept.whole())
                ? pods.budgets().answer(job.question(), slice, stagePods, !kept.whole())
                : null;
        if (!pods.freeze().repairs()) {
            return SliceDecision.stay(
                    broken.isEmpty()
                            ? new Placement.Placed()
                            : faulted(broken, pods.freeze().message(), false));
        }
        Prediction now = answer instanceof TopologyAnswer.Found found
                ? pods.assigned().anew(job.question(), was, found.prediction())
                : was;
        boolean stands = kept.whole() && kept.light().equals(recorded.circuits());
        boolean over = !job.question().allows(now.circuits());
        Optional<Prediction> offered = answer == null ? Optional.empty() : offered(job, answer, now);
        // a slice that has enough leaves the choice to those before it: what it would take now stays free for one of
        // them or for itself
        boolean waits = kept.whole() && !over && pods.budgets().awaited(stagePods);
        // figures of another model are no reason to look for other circuits
        if (offered.isPresent() && (now.equals(was) || !stands || over)) {
            Optional<SliceDecision> better = better(job, now, kept, offered.get(), over, waits);
            if (better.isPresent()) {
                return waits ? SliceDecision.stay(new Placement.Placed()) : better.get();
            }
        }
        if (stands && !now.equals(was) && !pods.budgets().open()) {
            return give(job, recorded.circuits(), now, now.words());
        }
        if (kept.whole()) {
            return stands
                    ? SliceDecision.stay(new Placement.Placed(
                            answer instanceof TopologyAnswer.Failed failed
                                    ? Optional.of(failed.why())
                                    : Optional.empty()))
                    : give(job, kept.light(), now, "the same circuits on other ports");
        }
        if (joins && answer == null) {
            return SliceDecision.stay(
                    broken.isEmpty()
                            ? new Placement.Placed()
                            : faulted(broken, "circuits are being chosen anew from the ports that are left", false));
        }
        return fewer(job, now, broken);
    }

    /**
     * What a placed job may have instead. Circuits by traffic only where what it has does not join its pods any more.
     */
    private Optional<Prediction> offered(Served job, TopologyAnswer answer, Prediction now) {
        return switch (answer) {
            case TopologyAnswer.Found found -> Optional.of(found.prediction());
            case TopologyAnswer.None none -> Optional.empty();
            case TopologyAnswer.Failed failed ->
                failed.share()
                        .map(TopologyAnswer.Found::prediction)
                        .filter(share -> !deal(job, now.circuits(), false).possible());
        };
    }

    /** Other circuits, if the job may have them and should. */
    private Optional<SliceDecision> better(
            Served job, Prediction now, CircuitAssignment kept, Prediction answer, boolean over, boolean waits) {
        boolean movable = job.movable();
        CircuitAssignment deal = deal(job, answer.circuits(), movable);
        Prediction then = deal.possible() ? pods.assigned().predicted(job.question(), answer, deal.circuits()) : now;
        SwitchedLight gone = job.recorded().circuits().minus(deal.light());
        int moved = pods.assigned().moved(gone);
        boolean sound = moved > 0;
        boolean worth = deal.possible()
                && InterruptionCost.moves(now, then, moved)
                && pods.assigned().isKnown(job.question(), answer, deal.circuits());
        if (movable
                && !over
                && !waits
                && !worth
                && kept.whole()
                && !deal.whole()
                && pods.freeze() == ChangeFreeze.NONE
                && InterruptionCost.moves(now, answer, 0)) {
            pods.rearrangement().applicant(job.slice(), job.stagePods(), job.question(), answer, now);
        }
        if (!deal.possible()) {
            return Optional.empty();
        }
        boolean wanted = over || !kept.whole() || worth;
        // what it lost it may have back at no one's cost; more it could not give back to who comes later
        boolean may = movable || (!sound && (!kept.whole() || now.loss() > 0));
        if (!wanted || !may || then.circuits().equals(now.circuits()) && kept.whole()) {
            return Optional.empty();
        }
        Prediction next = then.after(now.bestSeconds());
        String words = pods.assigned().words(job.question(), answer, next);
        return Optional.of(give(
                job,
                deal.light(),
                next,
                (over && kept.whole() ? "gives ports back that others are short of: " + words : words)
                        + pods.budgets().shortened(job.slice(), answer)));
    }

    /** Nothing better may be had: what is lit stays, and is what the job has to live on. */
    private SliceDecision fewer(Served job, Prediction now, List<String> broken) {
        CircuitAssignment left = deal(job, now.circuits(), false);
        if (!left.possible()) {
            Demand.Traffic traffic = job.stagePods().traffic();
            return SliceDecision.stay(Placement.Faulted.stuck(
                    broken,
                    String.join("; ", Words.few(left.apart())) + " have no circuit left and no free ports to make one"
                            + pods.noOther(job.slice(), traffic, job.stagePods()),
                    pods.relocatable(job.slice())
                            && job.movable()
                            && pods.othersJoin(job.slice(), traffic, job.stagePods())));
        }
        // who gave circuits up for a moment and does not get them all back has fewer for good
        if (left.light().equals(job.recorded().circuits()) && left.circuits().equals(now.circuits())) {
            return SliceDecision.stay(new Placement.Placed());
        }
        Prediction then =
                pods.assigned().predicted(job.question(), now, left.circuits()).after(now.bestSeconds());
        return give(
                job, left.light(), then, "fewer circuits: " + pods.assigned().words(job.question(), now, then));
    }

    private static Placement faulted(List<String> broken, String why, boolean degraded) {
        return new Placement.Faulted(broken.isEmpty() ? List.of("its circuits") : broken, why, degraded, false);
    }
}
