package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.circuits.PlannablePorts;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** DELTA's counts on the ports that are left in this pass, and records of what came of it. */
public final class AssignedCircuits {
    /** Short searches for sets of pods: so many that they would push out the others. */
    public static final Memo.Kind<Striping, Striper.Partial> TRIALS = new Memo.Kind<>("trials", Striping::bytes);

    /** Circuits of jobs on the ports that are left to them: worked out anew where the ports of a pod of theirs changed. */
    public static final Memo.Kind<Dealing, CircuitAssignment> DEALS = new Memo.Kind<>("deals", Dealing::bytes);

    /**
     * All that decides what circuits a job gets.
     *
     * @param wiring by identity
     * @param lost switches that failed
     * @param burning light on them that is left alone
     * @param rooms of the pods that it has or had light in
     */
    private record Dealing(
            OcsWiring wiring,
            SliceId job,
            StagePods stagePods,
            List<Integer> wanted,
            boolean mayMove,
            SwitchedLight previous,
            Set<String> lost,
            SwitchedLight burning,
            List<Room> rooms) {
        @Override
        public int hashCode() {
            return Objects.hash(job, wanted, mayMove);
        }

        /** Linear in pods: the light of records is there in any case. */
        long bytes() {
            return 1024
                    + 512L * rooms.size()
                    + 64L * wanted.stream().mapToInt(Integer::intValue).sum();
        }
    }

    /**
     * The ports of a pod.
     *
     * @param recorded what they are taken by
     * @param granted what this pass has given away of them
     * @param failed of them
     */
    private record Room(
            String pod, PlannablePorts.InPod recorded, Set<PortUse> granted, Set<OcsHealth.FailedPort> failed) {}

    /** Of a search for ports of one job: it is tried for many sets of pods. */
    private static final long STEPS = 1_000;

    private final OcsState state;
    private final OcsCircuits circuits;
    private final FabricPodPorts room;
    private final Lazy<Map<String, Set<OcsHealth.FailedPort>>> failed = new Lazy<>(this::findFailed);

    AssignedCircuits(OcsState state, OcsCircuits circuits, FabricPodPorts room) {
        this.state = state;
        this.circuits = circuits;
        this.room = room;
    }

    /** Whether free ports and the slice's own can join all pods that talk. */
    boolean joins(SliceState slice, StagePods stagePods) {
        return LinkPlan.follow(
                        state.wiring(),
                        CircuitAssignment.withoutDrained(state),
                        taken(slice),
                        CircuitAssignment.links(
                                state,
                                stagePods,
                                stagePods.deal().deal(stagePods.deal().fewest())),
                        true,
                        SwitchedLight.none(),
                        state.memory().memo(TRIALS),
                        STEPS)
                .missing()
                .isEmpty();
    }

    /** Which pods have ports that neither others have nor this pass has given away. */
    JoinedFabricPods.FreePorts free(SliceState slice) {
        Set<PortUse> taken = circuits.ports().allBarredTo(slice);
        taken.addAll(room.granted());
        return new JoinedFabricPods.FreePorts(state, CircuitAssignment.withoutDrained(state), taken);
    }

    CircuitAssignment deal(
            SliceState slice, StagePods stagePods, List<Integer> circuits, boolean mayMove, SwitchedLight previous) {
        return state.memory()
                .memo(DEALS)
                .of(
                        new Dealing(
                                state.wiring(),
                                slice.id(),
                                stagePods,
                                List.copyOf(circuits),
                                mayMove,
                                previous,
                                state.health().switches(),
                                state.health().burning(),
                                rooms(slice, stagePods, previous)),
                        () -> CircuitAssignment.of(state, taken(slice), stagePods, circuits, mayMove, previous));
    }

    private List<Room> rooms(SliceState slice, StagePods stagePods, SwitchedLight previous) {
        Set<String> pods = new TreeSet<>(circuits.ports().podsOf(slice, previous));
        stagePods.pods().forEach(pods::addAll);
        return pods.stream()
                .map(pod -> new Room(
                        pod,
                        circuits.ports().inPod(slice, pod),
                        room.granted(pod),
                        failed.get().getOrDefault(pod, Set.of())))
                .toList();
    }

    private Map<String, Set<OcsHealth.FailedPort>> findFailed() {
        Map<String, Set<OcsHealth.FailedPort>> byPod = new HashMap<>();
        for (OcsHealth.FailedPort port : state.health().ports()) {
            state.wiring()
                    .podsAt(new PortUse(port.opticalSwitch(), port.side(), port.port()))
                    .forEach(pod ->
                            byPod.computeIfAbsent(pod, of -> new HashSet<>()).add(port));
        }
        return byPod;
    }

    private Predicate<PortUse> taken(SliceState slice) {
        return circuits.ports().barredTo(slice).or(room.granted()::contains);
    }

    /** What is to be expected of these circuits: the answer itself where they are what it gives. */
    Prediction predicted(TopologyQuestion question, Prediction answer, List<Integer> circuits) {
        if (circuits.equals(answer.circuits())) {
            return answer;
        }
        return state.forecasts().tooLong(question).isPresent()
                ? question.unsimulated(answer, circuits)
                : state.forecasts().of(question, circuits, answer.lowerBoundSeconds());
    }

    /** Whether what is expected of circuits was simulated, or is an answer's. */
    boolean isKnown(TopologyQuestion question, Prediction answer, List<Integer> circuits) {
        return circuits.equals(answer.circuits())
                || state.forecasts().tooLong(question).isEmpty();
    }

    /** What is expected of other circuits than those of an answer, in words. */
    String words(TopologyQuestion question, Prediction answer, Prediction then) {
        return isKnown(question, answer, then.circuits())
                ? then.words()
                : "what they cost is not known; "
                        + state.forecasts().tooLong(question).orElseThrow();
    }

    /** What a job has by its record, judged as the iteration that was answered is now. */
    Prediction anew(TopologyQuestion question, Prediction was, Prediction answer) {
        return state.forecasts().anew(question, was, answer);
    }

    /** Circuits of a record that something stands against. */
    List<String> broken(Allocation recorded) {
        return state.broken(recorded.circuits());
    }

    /** Circuits of a record that are sound and would go. */
    int moved(SwitchedLight gone) {
        return gone.filter(state.health()::supports).size();
    }

    /** Other light for a job that has its place: from now on in this pass its new ports are taken. */
    SliceDecision.Change give(SliceState slice, Allocation recorded, SwitchedLight next, Prediction what, String why) {
        room.grant(next.minus(recorded.circuits()));
        // who is served next sees what is left: two that gave the same port back would both take it again
        room.hold(slice, room.ends(next));
        return SliceDecision.Change.of(slice, recorded.groups(), next, Optional.of(what), why);
    }
}
