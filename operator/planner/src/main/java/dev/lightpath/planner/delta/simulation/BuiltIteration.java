package dev.lightpath.planner.delta.simulation;

import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import java.util.Arrays;

/**
 * An iteration that is built once, which takes far longer than to simulate it, and simulated with any circuits after
 * that. How many ports its pods have makes no difference to it. Immutable; any thread may use it.
 */
public final class BuiltIteration {
    /** Pairs of transfers, some nanoseconds each. */
    private static final long MOST_WORK = 1L << 24;

    private static final long WORK_PER_TRANSFER = 1L << 8;

    private final FlowNetwork network;
    private final NormalizedTime ideal;
    private final long work;

    private BuiltIteration(FlowNetwork network) {
        this.network = network;
        this.ideal = NormalizedTime.of(network);
        this.work = work(MOST_WORK);
    }

    /** O(size of the instance), in time and memory, and as much of a simulation as tells {@link #isHeavy}. */
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

    /** Transfers. */
    public int tasks() {
        return network.tasks;
    }

    private long work(long most) {
        int[] least = new int[network.groups];
        Arrays.fill(least, 1);
        return new FluidSimulation(network).work(least, Urgency.LINK_LEVEL, most);
    }

    /**
     * What a simulation costs, in transfers of an iteration of which few are under way at once; told by one with one
     * circuit between each two pods. O(1).
     */
    public int cost() {
        return (int) Math.max(tasks(), work / WORK_PER_TRANSFER);
    }

    /** Whether so many transfers are under way at once that a simulation takes far longer than of any other. O(1). */
    public boolean isHeavy() {
        return work > MOST_WORK;
    }

    /**
     * Whether a simulation looks at more pairs of transfers than these. Costs as many looks, if the iteration is heavy.
     */
    public boolean exceeds(long pairs) {
        return isHeavy() && work(pairs) > pairs;
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
