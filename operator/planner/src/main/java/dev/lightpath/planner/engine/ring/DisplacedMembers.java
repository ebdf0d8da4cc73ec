package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Positions of a record whose Node is gone or has moved. The slice does not hold them any more, whatever node is there
 * now. Another machine may have come for it, be it another member of the same record.
 *
 * @param seats positions on the ring
 * @param own those on which a member of the record sits that is faulty only because it moved: barred to all but this
 *     slice
 */
record DisplacedMembers(Set<Integer> seats, Set<Integer> own) {
    /** O(members). */
    static DisplacedMembers of(RingState state, Allocation recorded) {
        Set<Integer> seats = new HashSet<>();
        Set<Integer> own = new HashSet<>();
        for (Allocation.Member member : recorded.members()) {
            int position = state.positions().positionOf(member);
            if (position != member.position()) {
                seats.add(member.position());
            }
            if (state.moved().contains(position)) {
                own.add(position);
            }
        }
        return new DisplacedMembers(seats, own);
    }

    /** The same where a member that moved is as faulty to its own slice as to all others. */
    DisplacedMembers strict() {
        return new DisplacedMembers(seats, Set.of());
    }

    /** Those at which another node is now that the slice may have instead. */
    Set<Integer> replacements(Occupancy all, SliceId slice) {
        return seats.stream()
                .filter(seat -> all.admits(slice, seat, own.contains(seat)))
                .collect(Collectors.toSet());
    }

    /** The health of a ring on which these seats have failed but for some. */
    RingHealth with(RingHealth health, Set<Integer> besides) {
        if (own.isEmpty() && health.faulty().containsAll(seats)) {
            return health;
        }
        Set<Integer> faulty = new HashSet<>(health.faulty());
        faulty.removeAll(own);
        seats.stream().filter(seat -> !besides.contains(seat)).forEach(faulty::add);
        return RingHealth.of(faulty, health.lost());
    }
}
