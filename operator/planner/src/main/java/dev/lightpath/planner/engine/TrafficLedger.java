package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.SliceVerdict.Placement;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Pods and circuits for jobs whose traffic decides: a place first, then the question to DELTA, then its answer on real ports.
 * What is placed keeps its pods; its circuits change when some fail, when others are owed ports, or when that is worth it.
 */
final class TrafficLedger {
    private static final int MOST_NAMED = 4;

    private final OcsScene scene;
    private final OcsLight light;
    private final Halt halt;
    private final PodRoom room;
    private final PodNodes nodes;
    private final PortBudgets budgets;
    private final PodChoice choice;
    private final GroupRoom groups;
    private final OcsGrace grace;
    private final Set<SliceId> changed = new HashSet<>();
    private final Map<Claim, Turn.Change> asides = new LinkedHashMap<>();
    private final Rearrangement.Tries tries = new Rearrangement.Tries();

    TrafficLedger(OcsScene scene, OcsLight light, Halt halt, List<Claim> claims, GroupRoom groups, OcsGrace grace) {
        this.scene = scene;
        this.light = light;
        this.halt = halt;
        this.groups = groups;
        this.grace = grace;
        this.room = new PodRoom(scene, light, claims);
        this.nodes = new PodNodes(scene);
        this.budgets = new PortBudgets(scene, room);
        this.choice = new PodChoice(scene, room, nodes, budgets, groups);
        if (halt == Halt.NONE && scene.findings().isEmpty()) {
            claims.forEach(this::expect);
        }
    }

    /** Who waits has his seats before anybody is served: those whom others were lent his share give it back, nobody grows into it. */
    private void expect(Claim claim) {
        if (claim.intent().wanted()
                && !claim.placed()
                && !claim.inherits()
                && Sibling.awaited(scene.world(), claim.intent()).isEmpty()
                && claim.intent().demand() instanceof Demand.Traffic traffic) {
            switch (choice.choose(claim, traffic)) {
                case PodChoice.Found.Pods pods -> room.expect(claim, pods.seating(), false);
                case PodChoice.Found.Later later -> room.expect(claim, later.seating(), true);
                case PodChoice.Found.None none -> {}
            }
        }
    }

    /** What DELTA is asked, by digest. */
    SortedMap<String, TopologyQuestion> questions() {
        return budgets.unanswered();
    }

    Turn serve(Claim claim, Demand.Traffic traffic) {
        if (!(scene.intent().topology() instanceof OcsTopology.Logical)) {
            return stay(new Placement.Unplaced(
                    "FabricKindMismatch",
                    "fabric " + scene.intent().name()
                            + " has a topology of its own; circuits that follow a job need one with topology.logical"));
        }
        if (asides.containsKey(claim)) {
            return stay(new Placement.Placed());
        }
        Turn turn = claim.placed() ? keep(claim, traffic) : place(claim, traffic);
        if (turn instanceof Turn.Change) {
            changed.add(claim.id());
        }
        return turn;
    }

    private static Turn stay(Placement placement) {
        return new Turn.Stay(placement);
    }

    // ---- a place

    private Turn place(Claim claim, Demand.Traffic traffic) {
        if (halt != Halt.NONE) {
            return stay(new Placement.Unplaced(halt.reason(), halt.message()));
        }
        Optional<String> awaited = Sibling.awaited(scene.world(), claim.intent());
        if (awaited.isPresent()) {
            return stay(new Placement.Unplaced("AwaitingPods", "waits for its slice on fabric " + awaited.get()));
        }
        return switch (choice.choose(claim, traffic)) {
            case PodChoice.Found.None none -> stay(new Placement.Unplaced("InsufficientCapacity", none.why()));
            case PodChoice.Found.Later later ->
                stay(new Placement.Unplaced(
                        "InsufficientCapacity",
                        "waits for other jobs to give back ports beyond their share of pods "
                                + named(later.seating().gpusByPod().keySet())));
            case PodChoice.Found.Pods pods -> light(claim, traffic, pods.seating());
        };
    }

    private Turn light(Claim claim, Demand.Traffic traffic, StageSeats seating) {
        Optional<List<Allocation.Group>> members =
                nodes.seat(seating, claim.intent().job(), groups.chooses(claim));
        if (members.isEmpty()) {
            return stay(new Placement.Unplaced("InsufficientCapacity", "the free nodes of its pods are too few"));
        }
        if (!seating.deal().talks()) {
            seat(claim, seating, members.get(), SwitchedLight.none());
            return change(claim, members.get(), SwitchedLight.none(), Optional.empty(), "one replica in one pod");
        }
        TopologyQuestion question = budgets.question(claim, traffic, seating);
        TopologyAnswer answer = budgets.answer(question);
        if (answer == null) {
            seat(claim, seating, members.get(), SwitchedLight.none());
            return stay(new Placement.Unplaced("Solving", "circuits are being chosen for its traffic"));
        }
        return switch (answer) {
            case TopologyAnswer.None none -> stay(new Placement.Unplaced("InsufficientCapacity", none.why()));
            case TopologyAnswer.Found found -> light(claim, seating, members.get(), question, found.prediction(), "");
            case TopologyAnswer.Failed failed ->
                failed.share()
                        .map(share -> light(
                                claim,
                                seating,
                                members.get(),
                                question,
                                share,
                                ", circuits by traffic: " + failed.why()))
                        .orElseGet(() -> stay(new Placement.Unplaced("SolverFailed", failed.why())));
        };
    }

    private Turn light(
            Claim claim,
            StageSeats seating,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            String remark) {
        CircuitDeal deal = deal(claim, seating, answer.circuits(), true, light.explained());
        if (!deal.possible()) {
            return amongOthers(claim, seating, members, question, answer, deal.apart());
        }
        seat(claim, seating, members, deal.light());
        Prediction prediction = predicted(question, answer, deal);
        return change(claim, members, deal.light(), Optional.of(prediction), why(prediction) + remark);
    }

    /** Ports enough, but on different switches: others keep their circuits on other ports. */
    private Turn amongOthers(
            Claim claim,
            StageSeats seating,
            List<Allocation.Group> members,
            TopologyQuestion question,
            Prediction answer,
            List<String> apart) {
        Rearrangement found = asides.isEmpty()
                ? Rearrangement.of(scene, light, room, changed, claim, seating, answer.circuits(), tries)
                        .orElse(null)
                : null;
        if (found == null) {
            return stay(new Placement.Unplaced(
                    "InsufficientCapacity",
                    "the free ports of its pods are on different switches: no circuit joins "
                            + String.join("; ", some(apart))));
        }
        found.others().forEach((id, lit) -> {
            Claim other = Objects.requireNonNull(room.tenants().get(id)).claim();
            Allocation recorded = other.recorded().orElseThrow();
            asides.put(
                    other,
                    give(
                            other,
                            recorded,
                            lit,
                            recorded.prediction().orElseThrow(),
                            "the same circuits on other ports, to make room for "
                                    + claim.id().name()));
        });
        seat(claim, seating, members, found.own());
        Prediction prediction = found.circuits().equals(answer.circuits())
                ? answer
                : question.predict(found.circuits(), answer.lowerBoundSeconds());
        return change(claim, members, found.own(), Optional.of(prediction), why(prediction));
    }

    /** Jobs that make room for another one, in the order in which their records are written. */
    Map<Claim, Turn.Change> asides() {
        return asides;
    }

    private void seat(Claim claim, StageSeats seating, List<Allocation.Group> members, SwitchedLight lit) {
        room.seat(claim, seating, lit, room.ends(lit));
        if (!groups.chooses(claim)) {
            nodes.take(members, claim.intent().job());
        }
    }

    private CircuitDeal deal(
            Claim claim, StageSeats seating, List<Integer> circuits, boolean mayMove, SwitchedLight previous) {
        Set<PortUse> taken = light.takenFrom(claim, seating.gpusByPod().keySet());
        taken.addAll(room.granted());
        return CircuitDeal.of(scene, taken, seating, circuits, mayMove, previous);
    }

    private static Prediction predicted(TopologyQuestion question, Prediction answer, CircuitDeal deal) {
        return deal.whole() ? answer : question.predict(deal.circuits(), answer.lowerBoundSeconds());
    }

    private static String why(Prediction prediction) {
        String why = String.format(
                Locale.ROOT,
                "an iteration of %.6g s on %d of %d ports",
                prediction.iterationSeconds(),
                prediction.ports(),
                prediction.portBudget());
        return prediction.loss() > 0
                ? why + String.format(Locale.ROOT, ", %.3g %% longer than at best", 100 * prediction.loss())
                : why;
    }

    private Turn.Change change(
            Claim claim, List<Allocation.Group> members, SwitchedLight lit, Optional<Prediction> what, String why) {
        SwitchedLight before = claim.recorded().map(Allocation::circuits).orElse(SwitchedLight.none());
        Placement placement = claim.placed()
                ? new Placement.Placed()
                : new Placement.Unplaced("Recording", "a place was found and is being recorded");
        return new Turn.Change(
                members,
                lit,
                what,
                new Origin(Origin.Planner.DELTA, lit.minus(before).size(), why),
                placement);
    }

    // ---- what is placed

    private Turn keep(Claim claim, Demand.Traffic traffic) {
        Allocation recorded = claim.recorded().orElseThrow();
        Optional<StageSeats> seating = StageSeats.recorded(traffic, recorded.groups(), scene.wiring());
        if (seating.isEmpty()) {
            return stay(new Placement.Faulted(
                    List.copyOf(recorded.nodes()),
                    "its pods are not all described any more: write them back into spec.ocs.pods",
                    true,
                    claim.intent().relocatable()));
        }
        if (groups.stuck(claim)
                && halt == Halt.NONE
                && !claim.intent().workload().usesLight()) {
            return change(
                    claim, List.of(), SwitchedLight.none(), Optional.empty(), "its groups find no room in these pods");
        }
        if (halt == Halt.NONE
                && claim.intent().relocatable()
                && groups.lost(claim)
                && choice.choose(claim, traffic) instanceof PodChoice.Found.Pods) {
            return stay(new Placement.Faulted(
                    List.of("groups on a ring"),
                    "no repair fits in the pods of their stages, other pods have room",
                    true,
                    true));
        }
        List<String> brokenNodes = groups.chooses(claim) ? List.of() : nodes.broken(recorded.groups());
        if (!brokenNodes.isEmpty()) {
            return mend(claim, traffic, recorded, brokenNodes);
        }
        if (!seating.get().deal().talks() || recorded.prediction().isEmpty()) {
            return stay(new Placement.Placed());
        }
        return improve(
                claim, traffic, seating.get(), recorded, recorded.prediction().get());
    }

    /** Other nodes of the same pods: no light moves. */
    private Turn mend(Claim claim, Demand.Traffic traffic, Allocation recorded, List<String> broken) {
        Optional<RepairKeys.Wait> wait = grace.wait(claim, halt);
        if (wait.isPresent()) {
            return stay(new Placement.Faulted(some(broken), wait.get().reason(), false, false));
        }
        Optional<List<Allocation.Group>> mended =
                nodes.mended(recorded.groups(), claim.intent().job());
        if (mended.isEmpty()) {
            boolean elsewhere =
                    claim.intent().relocatable() && choice.choose(claim, traffic) instanceof PodChoice.Found.Pods;
            return stay(
                    new Placement.Faulted(some(broken), "no healthy node of the same pod is free", true, elsewhere));
        }
        nodes.take(mended.get(), claim.intent().job());
        return new Turn.Change(
                mended.get(),
                recorded.circuits(),
                recorded.prediction(),
                new Origin(Origin.Planner.LOCAL_REPAIR, 0, "other nodes of the same pod in for " + named(broken)),
                new Placement.Faulted(some(broken), "a repair was found and is being recorded", false, false));
    }

    private Turn improve(Claim claim, Demand.Traffic traffic, StageSeats seating, Allocation recorded, Prediction now) {
        List<String> broken = broken(recorded);
        boolean movable = PortBudgets.movable(claim.intent());
        CircuitDeal kept = deal(claim, seating, now.circuits(), movable, recorded.circuits());
        TopologyQuestion question = budgets.question(claim, traffic, seating);
        boolean joins = PortBudgets.joins(question, seating.deal());
        boolean other = !question.digest().equals(now.question());
        TopologyAnswer answer = joins && (other || !kept.whole()) ? budgets.answer(question) : null;
        if (halt != Halt.NONE && halt != Halt.RETIRING) {
            return stay(broken.isEmpty() ? new Placement.Placed() : faulted(broken, halt.message(), false));
        }
        Optional<Prediction> offered =
                answer == null ? Optional.empty() : offered(answer, claim, seating, recorded, now);
        if (offered.isPresent()) {
            Optional<Turn> better = better(claim, seating, recorded, now, kept, question, offered.get(), movable);
            if (better.isPresent()) {
                return better.get();
            }
        }
        if (kept.whole()) {
            return kept.light().equals(recorded.circuits())
                    ? stay(new Placement.Placed(
                            answer instanceof TopologyAnswer.Failed failed
                                    ? Optional.of(failed.why())
                                    : Optional.empty()))
                    : give(claim, recorded, kept.light(), now, "the same circuits on other ports");
        }
        if (joins && answer == null) {
            return stay(
                    broken.isEmpty()
                            ? new Placement.Placed()
                            : faulted(broken, "circuits are being chosen anew from the ports that are left", false));
        }
        return fewer(claim, traffic, seating, recorded, now, question, broken);
    }

    /** What a placed job may have instead. Circuits by traffic only where what it has does not join its pods any more. */
    private Optional<Prediction> offered(
            TopologyAnswer answer, Claim claim, StageSeats seating, Allocation recorded, Prediction now) {
        return switch (answer) {
            case TopologyAnswer.Found found -> Optional.of(found.prediction());
            case TopologyAnswer.None none -> Optional.empty();
            case TopologyAnswer.Failed failed ->
                failed.share()
                        .filter(share -> !deal(claim, seating, now.circuits(), false, recorded.circuits())
                                .possible());
        };
    }

    /** Whether other pods have what these lack. */
    private boolean isElsewhere(Claim claim, Demand.Traffic traffic, StageSeats seating) {
        return choice.choose(claim, traffic) instanceof PodChoice.Found.Pods pods
                && !pods.seating()
                        .gpusByPod()
                        .keySet()
                        .equals(seating.gpusByPod().keySet());
    }

    /** Other circuits, if the job may have them and should. */
    private Optional<Turn> better(
            Claim claim,
            StageSeats seating,
            Allocation recorded,
            Prediction now,
            CircuitDeal kept,
            TopologyQuestion question,
            Prediction answer,
            boolean movable) {
        boolean over = false;
        for (int pod = 0; pod < question.ports().size(); pod++) {
            over |= seating.deal().used(now.circuits(), pod) > question.ports().get(pod);
        }
        CircuitDeal deal = deal(claim, seating, answer.circuits(), movable, recorded.circuits());
        if (!deal.possible()) {
            return Optional.empty();
        }
        Prediction then = predicted(question, answer, deal);
        SwitchedLight gone = recorded.circuits().minus(deal.light());
        boolean sound = !gone.isEmpty() && moved(gone) > 0;
        boolean wanted = over || !kept.whole() || Worth.moves(now, then, moved(gone));
        // what it lost it may have back at no one's cost; more it could not give back to who comes later
        boolean may = movable || (!sound && (!kept.whole() || now.loss() > 0));
        if (!wanted || !may || then.circuits().equals(now.circuits()) && kept.whole()) {
            return Optional.empty();
        }
        Prediction next = then.after(now.bestSeconds());
        return Optional.of(give(
                claim,
                recorded,
                deal.light(),
                next,
                over && kept.whole() ? "gives ports back that others are short of: " + why(next) : why(next)));
    }

    /** Circuits of a record that are sound and would go. */
    private int moved(SwitchedLight gone) {
        int[] moved = new int[1];
        gone.forEach((name, circuit) -> moved[0] += scene.health().supports(name, circuit) ? 1 : 0);
        return moved[0];
    }

    /** Nothing better may be had: what is lit stays, and is what the job has to live on. */
    private Turn fewer(
            Claim claim,
            Demand.Traffic traffic,
            StageSeats seating,
            Allocation recorded,
            Prediction now,
            TopologyQuestion question,
            List<String> broken) {
        CircuitDeal left = deal(claim, seating, now.circuits(), false, recorded.circuits());
        if (!left.possible()) {
            return stay(new Placement.Faulted(
                    broken,
                    String.join("; ", some(left.apart())) + " have no circuit left and no free ports to make one",
                    true,
                    claim.intent().relocatable()
                            && PortBudgets.movable(claim.intent())
                            && isElsewhere(claim, traffic, seating)));
        }
        if (left.light().equals(recorded.circuits())) {
            return stay(new Placement.Placed());
        }
        Prediction then = left.whole()
                ? now
                : question.predict(left.circuits(), now.lowerBoundSeconds()).after(now.bestSeconds());
        return give(claim, recorded, left.light(), then, "fewer circuits: " + why(then));
    }

    private Turn.Change give(Claim claim, Allocation recorded, SwitchedLight lit, Prediction what, String why) {
        lit.minus(recorded.circuits())
                .forEach((name, circuit) ->
                        room.granted().addAll(PortUse.of(name, scene.wiring().kind(name), circuit)));
        // who is served next sees what is left: two that gave the same port back would both take it again
        room.hold(claim, room.ends(lit));
        return change(claim, recorded.groups(), lit, Optional.of(what), why);
    }

    private static Placement faulted(List<String> broken, String why, boolean degraded) {
        return new Placement.Faulted(broken.isEmpty() ? List.of("its circuits") : broken, why, degraded, false);
    }

    private List<String> broken(Allocation recorded) {
        List<String> broken = new ArrayList<>();
        recorded.circuits().forEach((name, circuit) -> {
            if (!scene.health().supports(name, circuit)) {
                broken.add(name + "/" + circuit);
            }
        });
        return some(broken);
    }

    private static List<String> some(List<String> names) {
        if (names.size() <= MOST_NAMED) {
            return names;
        }
        List<String> some = new ArrayList<>(names.subList(0, MOST_NAMED));
        some.add("and " + (names.size() - MOST_NAMED) + " more");
        return some;
    }

    private static String named(Collection<String> names) {
        return String.join(", ", some(names.stream().sorted().toList()));
    }
}
