package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.world.Allocation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** DELTA's counts on the ports that are left in this pass, and records of what came of it. */
public final class AssignedCircuits {
    /** Short searches for sets of pods: so many that they would push out the others. */
    public static final Memo.Kind<Striping, Striper.Partial> TRIALS = new Memo.Kind<>("trials", Striping::bytes);

    /** Of a search for ports of one job: it is tried for many sets of pods. */
    private static final long STEPS = 1_000;

    private final OcsState state;
    private final OcsCircuits circuits;
    private final FabricPodPorts room;

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
        return CircuitAssignment.of(state, taken(slice), stagePods, circuits, mayMove, previous);
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
