package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.world.Allocation;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Something for each of a ring's nodes: found by position, and by name for those that sit nowhere on it any more.
 * Serves one thread.
 */
public final class PerNode<T> {
    public interface Each<T> {
        /** @param device what the driver tells of the node's transceivers */
        void of(String node, @Nullable DeviceState device, T value);
    }

    private final RingPositions positions;
    private final @Nullable Object[] at;
    private final Map<String, T> elsewhere = new HashMap<>();

    public PerNode(RingPositions positions) {
        this.positions = positions;
        this.at = new @Nullable Object[positions.size()];
    }

    /** The same values where nodes have not moved; those of nodes that sit nowhere are left out. */
    public void takeOver(PerNode<T> others) {
        System.arraycopy(others.at, 0, at, 0, at.length);
    }

    @Nullable
    public T get(String node) {
        return get(node, positions.positionOf(node));
    }

    @Nullable
    public T get(Allocation.Member member) {
        return get(member.node(), positions.positionOf(member));
    }

    private @Nullable T get(String node, int position) {
        return position == RingPositions.NOWHERE ? elsewhere.get(node) : at(position);
    }

    /** Of who sits there. */
    @SuppressWarnings("unchecked")
    @Nullable
    public T at(int position) {
        return (T) at[position];
    }

    public void put(String node, T value) {
        put(node, positions.positionOf(node), value);
    }

    /** @param position where the node sits, as the positions say */
    public void put(String node, int position, T value) {
        if (position == RingPositions.NOWHERE) {
            elsewhere.put(node, value);
        } else {
            at[position] = value;
        }
    }

    /** Nothing of who sits there. */
    public void clear(int position) {
        at[position] = null;
    }

    /** Positions that have something else, or of whose devices something else is told. O(positions). */
    public BitSet differing(PerNode<T> others) {
        BitSet differing = positions.differing(others.positions);
        for (int position = 0; position < at.length; position++) {
            if (!Objects.equals(at[position], others.at[position])) {
                differing.set(position);
            }
        }
        return differing;
    }

    public void forEachPosition(IntConsumer each) {
        IntStream.range(0, at.length).forEach(each);
    }

    /** Of who sits there, if it has something. */
    public void visit(int position, Each<T> each) {
        T value = at(position);
        RingPositions.NodeAt there = positions.at(position);
        if (value != null && there != null) {
            each.of(there.node().name(), there.device(), value);
        }
    }

    /** Of who sits nowhere on the ring. */
    public void forEachElsewhere(Each<T> each) {
        elsewhere.forEach((node, value) -> each.of(node, positions.device(node), value));
    }

    /** By position, then all others. O(positions). */
    public void forEach(Each<T> each) {
        for (int position = 0; position < at.length; position++) {
            visit(position, each);
        }
        forEachElsewhere(each);
    }
}
