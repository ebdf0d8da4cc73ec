package dev.lightpath.planner.engine.circuits;

import static java.util.Objects.requireNonNull;

import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.world.Allocation;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Since when a place on a ring is broken: from then on the user's hold-off counts. */
public final class RingOnset {
    private RingOnset() {}

    /**
     * The first moment at which a fault of a member left one of these groups without the light it needs; what its
     * groups can do without does not count. O(faults of the members squared).
     *
     * @param broken indices of groups
     * @return {@link Instant#EPOCH} where no fault tells
     */
    public static Instant of(RingState state, Allocation recorded, RingPlacement placement, SortedSet<Integer> broken) {
        return broken.stream()
                .map(index -> of(
                        state, recorded.groups().get(index), placement.groups().get(index)))
                .min(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    private static Instant of(RingState state, Allocation.Group recorded, RingGroup group) {
        Map<String, Integer> positions = new HashMap<>();
        recorded.members().forEach(member -> positions.put(member.node(), member.position()));
        SortedSet<Integer> faulty = new TreeSet<>();
        SortedMap<Integer, SortedSet<BundlePath>> lost = new TreeMap<>();
        List<Fault> of = state.tracker().faults().reversed().stream()
                .filter(fault -> positions.containsKey(fault.subject().holder()))
                .toList();
        for (Fault fault : of) {
            int position = requireNonNull(positions.get(fault.subject().holder()));
            if (fault.subject() instanceof Subject.OfPort port) {
                lost.computeIfAbsent(position, unseen -> new TreeSet<>())
                        .addAll(TransceiverPorts.lostWith(port.port()));
            } else {
                faulty.add(position);
            }
            if (!RingHealth.of(faulty, lost).supports(state.intent().ring(), group)) {
                return fault.since();
            }
        }
        return Instant.EPOCH;
    }
}
