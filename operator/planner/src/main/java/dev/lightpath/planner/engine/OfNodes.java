package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.world.Allocation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something for each of a ring's nodes: found by position, and by name for those that sit nowhere on it any more. Serves one thread. */
final class OfNodes<T> {
    /** What is done with each. */
    interface Each<T> {
        /** @param device what the driver tells of the node's transceivers */
        void of(String node, @Nullable DeviceState device, T value);
    }

    private final RingSites sites;
    private final @Nullable Object[] at;
    private final Map<String, T> elsewhere = new HashMap<>();

    OfNodes(RingSites sites) {
        this.sites = sites;
        this.at = new @Nullable Object[sites.size()];
    }

    @Nullable
    T get(String node) {
        return get(node, sites.positionOf(node));
    }

    @Nullable
    T get(Allocation.Member member) {
        return get(member.node(), sites.positionOf(member));
    }

    private @Nullable T get(String node, int position) {
        return position == RingSites.NOWHERE ? elsewhere.get(node) : at(position);
    }

    /** Of who sits there. */
    @SuppressWarnings("unchecked")
    @Nullable
    T at(int position) {
        return (T) at[position];
    }

    void put(String node, T value) {
        put(node, sites.positionOf(node), value);
    }

    void put(Allocation.Member member, T value) {
        put(member.node(), sites.positionOf(member), value);
    }

    /** @param position where the node sits, as the sites say */
    void put(String node, int position, T value) {
        if (position == RingSites.NOWHERE) {
            elsewhere.put(node, value);
        } else {
            at[position] = value;
        }
    }

    /** How many nodes have something. O(positions). */
    int count() {
        int count = elsewhere.size();
        for (Object value : at) {
            count += value == null ? 0 : 1;
        }
        return count;
    }

    /** By position, then all others. O(positions). */
    void forEach(Each<T> each) {
        for (int position = 0; position < at.length; position++) {
            T value = at(position);
            RingSites.Site site = sites.at(position);
            if (value != null && site != null) {
                each.of(site.node().name(), site.device(), value);
            }
        }
        elsewhere.forEach((node, value) -> each.of(node, sites.device(node), value));
    }
}
