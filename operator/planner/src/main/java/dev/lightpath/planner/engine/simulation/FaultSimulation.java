package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Simulates faults of a snapshot. It comes to rest without a fault once, and no question is answered twice. */
public final class FaultSimulation {
    private final Snapshot snapshot;
    private final Function<TopologyQuestion, TopologyAnswer> solver;
    private final SortedMap<String, TopologyAnswer> answers = new TreeMap<>();
    private final BooleanSupplier late;
    private final Simulation.Rest calm;

    /**
     * A few passes of the operator, and the time its questions take.
     *
     * @param solver answers a question
     * @param late whether to end after the pass that is under way, as though it did not come to rest
     */
    public FaultSimulation(Snapshot snapshot, Function<TopologyQuestion, TopologyAnswer> solver, BooleanSupplier late) {
        this.snapshot = snapshot;
        this.solver = solver;
        this.late = late;
        this.calm = rest(snapshot);
    }

    /**
     * Again a few passes, and the time of questions that were not asked yet.
     *
     * @param struck the requests once the fault has struck: without the pods that it ends
     */
    public FaultPreview strike(Subject fault, SortedMap<SliceId, SliceIntent> struck) {
        List<Subject> faulty = new ArrayList<>(snapshot.faulty());
        faulty.add(fault);
        return FaultPreview.between(
                calm,
                rest(new Snapshot(
                        snapshot.now(),
                        snapshot.rings(),
                        snapshot.ocsFabrics(),
                        struck,
                        calm.ledger(),
                        faulty,
                        snapshot.unreadable())));
    }

    private Simulation.Rest rest(Snapshot from) {
        return new Simulation(from, solver, answers).rest(8 + 4 * from.slices().size(), late);
    }
}
