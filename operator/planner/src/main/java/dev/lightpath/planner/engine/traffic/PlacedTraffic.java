package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsOnset;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Origin;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is placed and follows a job's traffic: it keeps its pods; nodes are replaced in them, circuits change when some
 * fail, when others are owed ports, or when that is worth it.
 */
final class PlacedTraffic {
    private final OcsState state;
    private final ChangeFreeze freeze;
    private final FabricPodNodes nodes;
    private final PortBudgets budgets;
    private final FabricPodSelection choice;
    private final RingCapacity groups;
    private final RepairGate gate;
    private final AssignedCircuits dealt;
    private final PortRearrangement asides;

    PlacedTraffic(
            OcsState state,
            ChangeFreeze freeze,
            FabricPodNodes nodes,
            PortBudgets budgets,
            FabricPodSelection choice,
            RingCapacity groups,
            RepairGate gate,
            AssignedCircuits dealt,
            PortRearrangement asides) {
        this.state = state;
        this.freeze = freeze;
        this.nodes = nodes;
        this.budgets = budgets;
        this.choice = choice;
        this.groups = groups;
        this.gate = gate;
        this.dealt = dealt;
        this.asides = asides;
    }

    private static SliceDecision stay(Placement placement) {
        return new SliceDecision.Stay(placement);
    }

    SliceDecision keep(SliceState claim, Demand.Traffic traffic) {
        Allocation recorded = claim.recorded().orElseThrow();
        Optional<StagePods> stagePods = StagePods.recorded(traffic, recorded.groups(), state.wiring());
        if (stagePods.isEmpty()) {
            return stay(new Placement.Faulted(
                    List.copyOf(recorded.nodes()),
                    "its pods are not all described any more: write them back into spec.ocs.pods",
                    true,
                    relocatable(claim)));
        }
        if (groups.stuck(claim)
                && freeze == ChangeFreeze.NONE
                && !claim.intent().workload().usesLight()) {
            return SliceDecision.Change.of(
                    claim, List.of(), SwitchedLight.none(), Optional.empty(), "its groups find no room in these pods");
        }
        if (relocatable(claim)
                && groups.lost(claim)
                && elsewhere(claim, traffic, stagePods.get()).isPresent()) {
            return stay(new Placement.Faulted(
                    List.of("groups on a ring"),
                    "no repair fits in the pods of their stages, other pods have room",
                    true,
                    true));
        }
        List<String> brokenNodes = groups.chooses(claim) ? List.of() : nodes.broken(recorded.groups());
        Optional<SliceDecision> mended = brokenNodes.isEmpty()
                ? Optional.empty()
                : Optional.of(mend(claim, traffic, stagePods.get(), recorded, brokenNodes));
        if (mended.filter(turn -> turn instanceof SliceDecision.Change || relocates(turn))
                .isPresent()) {
            return mended.get();
        }
        SliceDecision light =
                stagePods.get().deal().talks() && recorded.prediction().isPresent()
                        ? improve(
                                claim,
                                traffic,
                                stagePods.get(),
                                recorded,
                                recorded.prediction().get())
                        : stay(new Placement.Placed());
        return mended.map(turn -> beside(turn.placement(), light)).orElse(light);
    }

    /**
     * Whether the whole job may have another place here: under a freeze, and on a fabric that is being deleted, no job
     * gets one.
     */
    private boolean relocatable(SliceState claim) {
        return freeze == ChangeFreeze.NONE && claim.intent().relocatable();
    }

    private static boolean relocates(SliceDecision turn) {
        return turn.placement() instanceof Placement.Faulted faulted && faulted.relocatable();
    }

    /** What comes of its circuits while broken nodes are told of: they wait for others than its light does. */
    private static SliceDecision beside(Placement nodes, SliceDecision light) {
        Placement both =
                nodes instanceof Placement.Faulted faulted && light.placement() instanceof Placement.Faulted dark
                        ? new Placement.Faulted(
                                Stream.concat(faulted.members().stream(), dark.members().stream())
                                        .distinct()
                                        .toList(),
                                faulted.waitsFor().equals(dark.waitsFor())
                                        ? dark.waitsFor()
                                        : faulted.waitsFor() + "; " + dark.waitsFor(),
                                faulted.degraded() || dark.degraded(),
                                faulted.relocatable() || dark.relocatable())
                        : nodes;
        return switch (light) {
            case SliceDecision.Stay stay -> stay(both);
            case SliceDecision.Change change ->
                new SliceDecision.Change(change.groups(), change.light(), change.prediction(), change.origin(), both);
        };
    }

    /** Other nodes of the same pods: no light moves. */
    private SliceDecision mend(
            SliceState claim, Demand.Traffic traffic, StagePods stagePods, Allocation recorded, List<String> broken) {
        Optional<String> wait = gate.wait(
                claim.intent(), () -> OcsOnset.of(state, claim.recorded().orElseThrow()));
        if (wait.isPresent()) {
            return stay(new Placement.Faulted(Words.few(broken), wait.get(), false, false));
        }
        Optional<List<Allocation.Group>> mended =
                nodes.mended(recorded.groups(), claim.intent().job());
        if (mended.isEmpty()) {
            boolean elsewhere =
                    relocatable(claim) && elsewhere(claim, traffic, stagePods).isPresent();
            return stay(new Placement.Faulted(
                    Words.few(broken),
                    "no healthy node of the same pod is free" + noOther(claim, traffic, stagePods),
                    true,
                    elsewhere));
        }
        nodes.take(mended.get(), claim.intent().job());
        return new SliceDecision.Change(
                mended.get(),
                recorded.circuits(),
                recorded.prediction(),
                new Origin(
                        Origin.Planner.LOCAL_REPAIR, 0, "other nodes of the same pod in for " + Words.sorted(broken)),
                new Placement.Faulted(Words.few(broken), "a repair was found and is being recorded", false, false));
    }

    private SliceDecision improve(
            SliceState claim, Demand.Traffic traffic, StagePods stagePods, Allocation recorded, Prediction was) {
        List<String> broken = Words.few(state.broken(recorded.circuits()));
        boolean movable = PortBudgets.movable(claim.intent());
        CircuitAssignment kept = dealt.deal(claim, stagePods, was.circuits(), movable, recorded.circuits());
        TopologyQuestion question = budgets.question(claim, traffic, stagePods);
        boolean joins = PortBudgets.joins(question, stagePods.deal());
        boolean other = !question.digest().equals(was.question());
        TopologyAnswer answer =
                joins && (other || !kept.whole()) ? budgets.answer(question, claim, stagePods, !kept.whole()) : null;
        if (!freeze.repairs()) {
            return stay(broken.isEmpty() ? new Placement.Placed() : faulted(broken, freeze.message(), false));
        }
        Prediction now = answer instanceof TopologyAnswer.Found found
                ? question.anew(was, found.prediction(), () -> state.forecasts().iteration(question))
                : was;
        boolean stands = kept.whole() && kept.light().equals(recorded.circuits());
        boolean over = !question.allows(now.circuits());
        Optional<Prediction> offered =
                answer == null ? Optional.empty() : offered(answer, claim, stagePods, recorded, now);
        // a slice that has enough leaves the choice to those before it: what it would take now stays free for one of
        // them or for itself
        boolean waits = kept.whole() && !over && budgets.awaited(stagePods);
        // figures of another model are no reason to look for other circuits
        if (offered.isPresent() && (now.equals(was) || !stands || over)) {
            Optional<SliceDecision> better =
                    better(claim, stagePods, recorded, now, kept, question, offered.get(), movable, over, waits);
            if (better.isPresent()) {
                return waits ? stay(new Placement.Placed()) : better.get();
            }
        }
        if (stands && !now.equals(was) && !budgets.open()) {
            return dealt.give(claim, recorded, recorded.circuits(), now, now.words());
        }
        if (kept.whole()) {
            return stands
                    ? stay(new Placement.Placed(
                            answer instanceof TopologyAnswer.Failed failed
                                    ? Optional.of(failed.why())
                                    : Optional.empty()))
                    : dealt.give(claim, recorded, kept.light(), now, "the same circuits on other ports");
        }
        if (joins && answer == null) {
            return stay(
                    broken.isEmpty()
                            ? new Placement.Placed()
                            : faulted(broken, "circuits are being chosen anew from the ports that are left", false));
        }
        return fewer(claim, traffic, stagePods, recorded, now, question, broken);
    }

    /**
     * What a placed job may have instead. Circuits by traffic only where what it has does not join its pods any more.
     */
    private Optional<Prediction> offered(
            TopologyAnswer answer, SliceState claim, StagePods stagePods, Allocation recorded, Prediction now) {
        return switch (answer) {
            case TopologyAnswer.Found found -> Optional.of(found.prediction());
            case TopologyAnswer.None none -> Optional.empty();
            case TopologyAnswer.Failed failed ->
                failed.share()
                        .map(TopologyAnswer.Found::prediction)
                        .filter(share -> !dealt.deal(claim, stagePods, now.circuits(), false, recorded.circuits())
                                .possible());
        };
    }

    /** Whether other pods have room: not the job's own, which it would be given again when it is placed anew. */
    private Optional<FabricPodSelection.Found.Pods> elsewhere(
            SliceState claim, Demand.Traffic traffic, StagePods stagePods) {
        return choice.choose(claim, traffic) instanceof FabricPodSelection.Found.Pods pods
                        && !pods.stagePods()
                                .gpusByPod()
                                .keySet()
                                .equals(stagePods.gpusByPod().keySet())
                ? Optional.of(pods)
                : Optional.empty();
    }

    /** Why no other place is looked for, where that is the iteration. */
    private String noOther(SliceState claim, Demand.Traffic traffic, StagePods stagePods) {
        return relocatable(claim) && stagePods.deal().talks()
                ? traffic.iteration()
                        .tooLong(traffic.parallelism())
                        .map(why -> "; it is given no other place: " + why)
                        .orElse("")
                : "";
    }

    /** Other circuits, if the job may have them and should. */
    private Optional<SliceDecision> better(
            SliceState claim,
            StagePods stagePods,
            Allocation recorded,
            Prediction now,
            CircuitAssignment kept,
            TopologyQuestion question,
            Prediction answer,
            boolean movable,
            boolean over,
            boolean waits) {
        CircuitAssignment deal = dealt.deal(claim, stagePods, answer.circuits(), movable, recorded.circuits());
        Prediction then = deal.possible() ? dealt.predicted(question, answer, deal.circuits()) : now;
        SwitchedLight gone = recorded.circuits().minus(deal.light());
        boolean sound = !gone.isEmpty() && dealt.moved(gone) > 0;
        boolean worth = deal.possible() && InterruptionCost.moves(now, then, dealt.moved(gone));
        if (movable
                && !over
                && !waits
                && !worth
                && kept.whole()
                && !deal.whole()
                && freeze == ChangeFreeze.NONE
                && InterruptionCost.moves(now, answer, 0)) {
            asides.wish(claim, stagePods, question, answer, now);
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
        return Optional.of(dealt.give(
                claim,
                recorded,
                deal.light(),
                next,
                (over && kept.whole() ? "gives ports back that others are short of: " + next.words() : next.words())
                        + budgets.shortened(claim, answer)));
    }

    /** Nothing better may be had: what is lit stays, and is what the job has to live on. */
    private SliceDecision fewer(
            SliceState claim,
            Demand.Traffic traffic,
            StagePods stagePods,
            Allocation recorded,
            Prediction now,
            TopologyQuestion question,
            List<String> broken) {
        CircuitAssignment left = dealt.deal(claim, stagePods, now.circuits(), false, recorded.circuits());
        if (!left.possible()) {
            return stay(new Placement.Faulted(
                    broken,
                    String.join("; ", Words.few(left.apart())) + " have no circuit left and no free ports to make one"
                            + noOther(claim, traffic, stagePods),
                    true,
                    relocatable(claim)
                            && PortBudgets.movable(claim.intent())
                            && elsewhere(claim, traffic, stagePods)
                                    .filter(FabricPodSelection.Found.Pods::joined)
                                    .isPresent()));
        }
        // who gave circuits up for a moment and does not get them all back has fewer for good
        if (left.light().equals(recorded.circuits()) && left.circuits().equals(now.circuits())) {
            return stay(new Placement.Placed());
        }
        Prediction then = dealt.predicted(question, now, left.circuits()).after(now.bestSeconds());
        return dealt.give(
                claim,
                recorded,
                left.light(),
                then,
                "fewer circuits: "
                        + question.tooLong()
                                .map(why -> "what they cost is not known; " + why)
                                .orElseGet(then::words));
    }

    private static Placement faulted(List<String> broken, String why, boolean degraded) {
        return new Placement.Faulted(broken.isEmpty() ? List.of("its circuits") : broken, why, degraded, false);
    }
}
