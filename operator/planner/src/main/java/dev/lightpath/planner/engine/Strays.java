package dev.lightpath.planner.engine;

import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Seats of a record whose Node is gone or elsewhere, whoever sits there now: its member does not hold it. Another machine may have
 * come for it.
 *
 * @param seats positions on the ring
 */
record Strays(Set<Integer> seats) {
    /** O(members). */
    static Strays of(RingScene scene, Allocation recorded) {
        Set<Integer> seats = new HashSet<>();
        for (Allocation.Group group : recorded.groups()) {
            for (Allocation.Member member : group.members()) {
                if (scene.sites().positionOf(member) != member.position()) {
                    seats.add(member.position());
                }
            }
        }
        return new Strays(seats);
    }

    /** Those on which somebody sits now whom the slice may have instead. */
    Set<Integer> heirs(Seats all, SliceId slice) {
        return seats.stream().filter(seat -> all.admits(slice, seat)).collect(Collectors.toSet());
    }

    /** The health of a ring on which these seats have failed but for some. */
    RingHealth with(RingHealth health, Set<Integer> besides) {
        if (health.faulty().containsAll(seats)) {
            return health;
        }
        Set<Integer> faulty = new HashSet<>(seats);
        faulty.removeAll(besides);
        faulty.addAll(health.faulty());
        return RingHealth.of(faulty, health.lost());
    }
}
