package dev.lightpath.planner.delta.simulation;

import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;

/**
 * An iteration that is built once, which takes far longer than to simulate it, and simulated with any circuits after
 * that. How many ports its pods have makes no difference to it. Immutable; any thread may use it.
 */
public final class BuiltIteration {
    private final FlowNetwork network;
    private final NormalizedTime ideal;

    private BuiltIteration(FlowNetwork network) {
        this.network = network;
        this.ideal = NormalizedTime.of(network);
    }

    /** O(size of the instance), in time and memory. */
    public static BuiltIteration of(DeltaInstance instance) {
        return new BuiltIteration(new FlowNetwork(instance));
    }

    /**
     * As {@link Simulator#makespanSeconds} of the instance, at the same cost in time; works in arrays of its own,
     * O(size of the instance).
     *
     * @throws IllegalArgumentException when the topology has not one count per group
     */
    public double makespanSeconds(Topology topology, Rates rates) {
        return new Simulator(network).makespanSeconds(topology, rates);
    }

    /** As {@link NormalizedTime#nct} of the instance. O(1). */
    public double nct(double makespanSeconds) {
        return ideal.nct(makespanSeconds);
    }

    /** Circuit ends of the topology in counted pods, as {@link SolutionVerifier#ports}. O(groups * pods). */
    public int ports(Topology topology) {
        return network.ports(topology.toArray());
    }

    /** Transfers: what a simulation costs grows with them. */
    public int tasks() {
        return network.tasks;
    }

    /** About as many as it takes in memory. */
    public long bytes() {
        return network.bytes();
    }

    /** Its size only: answers are logged. */
    @Override
    public String toString() {
        return "BuiltIteration[" + tasks() + " transfers]";
    }
}
