package dev.lightpath.planner.delta.simulation;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays one training iteration over a topology as a discrete-event simulation (section IV-B, Fig. 6). Remembers nothing
 * between calls, but works in one set of arrays: an object belongs to one thread.
 */
public final class Simulator {
    private final FlowNetwork network;
    private final FluidSimulation fluid;

    /** A simulator of an instance; O(size of the instance) in time and memory. */
    public Simulator(DeltaInstance instance) {
        this(new FlowNetwork(instance));
    }

    public Simulator(FlowNetwork network) {
        this.network = network;
        this.fluid = new FluidSimulation(network);
    }

    /**
     * Start and end of every task, seconds after the start of the iteration. Under {@link Rates#FAIR} max-min over
     * flows, where Eq. 17 is stricter; under {@link Rates#JOINT} the better of the two variants of critical-path-first,
     * which obey Eqs. 9 to 16.
     *
     * <p>O((tasks + dependencies) log tasks) plus, for each event, the square of the number of connected active tasks;
     * two to four such runs under joint rates.
     *
     * @param topology one count per group of the instance, in its order; the ports of pods are not checked here
     * @throws IllegalArgumentException when the topology has not one count per group
     */
    public Schedule simulate(Topology topology, Rates rates) {
        return schedule(requireMatching(topology), rates);
    }

    /** The same with unlimited circuits: only network cards limit (Eq. 10 without Eq. 9). */
    public Schedule simulateUnlimited(Rates rates) {
        return schedule(new int[network.groups], rates);
    }

    /**
     * The makespan in seconds (C of Eq. 18), as {@link #simulate} plays it; allocates nothing but the array of counts.
     *
     * @param topology one count per group of the instance, in its order
     * @throws IllegalArgumentException when the topology has not one count per group
     */
    public double makespanSeconds(Topology topology, Rates rates) {
        return makespan(requireMatching(topology), rates);
    }

    /** Makespan for counts per group, seconds; 0 means unlimited. */
    public double makespan(int[] circuits, Rates rates) {
        return switch (rates) {
            case FAIR -> fluid.run(circuits, Urgency.NONE);
            case JOINT -> Math.min(fluid.run(circuits, Urgency.LINK_LEVEL), fluid.run(circuits, Urgency.CARD_LEVEL));
        };
    }

    private Schedule schedule(int[] circuits, Rates rates) {
        double makespan = makespan(circuits, rates);
        if (rates == Rates.JOINT && fluid.run(circuits, Urgency.CARD_LEVEL) > makespan) {
            fluid.run(circuits, Urgency.LINK_LEVEL);
        }
        List<Schedule.Times> times = new ArrayList<>(network.tasks);
        for (int m = 0; m < network.tasks; m++) {
            times.add(new Schedule.Times(fluid.start[m], fluid.end[m]));
        }
        return new Schedule(makespan, times);
    }

    private int[] requireMatching(Topology topology) {
        if (topology.circuits().size() != network.groups) {
            throw new IllegalArgumentException(
                    "topology: " + topology.circuits().size() + " counts, allowed: " + network.groups
                            + ", one per group of " + network.name);
        }
        return topology.toArray();
    }
}
