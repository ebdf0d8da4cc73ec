package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A record that the fabric, as it is described now, cannot carry: the description or the record was changed. Its light
 * is left alone, since it is unknown which fibres it is on; no other slice gets its nodes.
 *
 * @param why names the slice, and the group and position that do not fit
 */
public record InvalidAllocation(SliceState slice, String why) {
    /**
     * Those of these slices that do not fit, in their order. Of two that hold one node the later does not, unless one
     * of them is being recorded. O(members).
     */
    public static List<InvalidAllocation> among(List<SliceState> slices, RingFabric ring, Set<SliceId> recording) {
        List<InvalidAllocation> invalid = new ArrayList<>();
        Map<Integer, SliceId> taken = new HashMap<>();
        for (SliceState slice : slices) {
            String flaw = flaw(slice, ring)
                    .or(() -> collision(slice, taken, recording))
                    .orElse(null);
            if (flaw != null) {
                invalid.add(new InvalidAllocation(
                        slice, "the record of slice " + slice.id() + " does not fit the fabric: " + flaw));
            } else {
                slice.members().forEach(member -> taken.putIfAbsent(member.position(), slice.id()));
            }
        }
        return invalid;
    }

    /** Whether light can be derived from these groups of whole nodes. */
    public static boolean derivable(Allocation allocation, RingFabric ring) {
        return allocation.groups().stream()
                .allMatch(group -> !group.members().isEmpty()
                        && group.members().stream().allMatch(member -> ring.contains(member.position()))
                        && group.members().stream()
                                        .map(Allocation.Member::position)
                                        .distinct()
                                        .count()
                                == group.members().size());
    }

    private static Optional<String> flaw(SliceState slice, RingFabric ring) {
        List<Allocation.Group> groups = slice.groups();
        if (groups.isEmpty() || slice.remembered(ring).isPresent()) {
            return Optional.empty();
        }
        if (!slice.demand().fits(ring)) {
            return Optional.of(
                    "it holds groups of " + slice.demand().tensor() + " GPUs, and nodes have " + ring.gpusPerNode());
        }
        int size = slice.demand().nodesPerGroup(ring);
        int shares = slice.demand().groupsPerNode(ring);
        Map<Integer, Integer> uses = new HashMap<>();
        Map<String, Integer> seats = new HashMap<>();
        for (int index = 0; index < groups.size(); index++) {
            List<Allocation.Member> members = groups.get(index).members();
            if (members.size() != size) {
                return Optional.of("group " + index + " has " + members.size() + " nodes, and takes " + size);
            }
            for (Allocation.Member member : members) {
                int position = member.position();
                if (!ring.contains(position)) {
                    return Optional.of(where(index, member) + " is not one of 0 to " + (ring.positions() - 1));
                }
                Integer seat = seats.putIfAbsent(member.node(), position);
                if (uses.merge(position, 1, Integer::sum) > shares || seat != null && seat != position) {
                    return Optional.of(where(index, member) + " is held twice");
                }
            }
            for (int rank = 1; rank < members.size(); rank++) {
                int from = members.get(rank - 1).position();
                int to = members.get(rank).position();
                int hop = ring.hop(from, to);
                if (hop < 1 || hop > ring.reach()) {
                    return Optional.of("group " + index + ": no fibre leads from position " + from + " to position "
                            + to + ", reach is " + ring.reach());
                }
            }
        }
        List<RingGroup> placed = slice.placement(ring).groups();
        return BundleDerivation.derive(ring, placed).conflicts().stream()
                .findFirst()
                .map(conflict ->
                        "group " + conflict.group() + ", position " + conflict.position() + ": " + conflict.reason());
    }

    private static String where(int group, Allocation.Member member) {
        return "group " + group + ", node " + member.node() + ": position " + member.position();
    }

    private static Optional<String> collision(SliceState slice, Map<Integer, SliceId> taken, Set<SliceId> recording) {
        for (Allocation.Member member : slice.members()) {
            SliceId other = taken.get(member.position());
            if (other != null && !recording.contains(other) && !recording.contains(slice.id())) {
                return Optional.of("node " + member.node() + ": position " + member.position() + " is held by slice "
                        + other + " too");
            }
        }
        return Optional.empty();
    }
}
