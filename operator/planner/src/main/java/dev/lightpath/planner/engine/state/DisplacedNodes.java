package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.memory.Derived;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Nodes of displaced members: they are not where a record has them. They follow from the records and from where names
 * sit.
 *
 * @param gone names of members that sit nowhere on the ring, in order of records
 * @param moved names of members that sit elsewhere
 * @param of slices with such members
 */
record DisplacedNodes(List<String> gone, Set<String> moved, Set<SliceId> of) {
    private static final Slot<Derived<DisplacedNodes>> SLOT = new Slot<>("displaced nodes");

    /** Linear in slices while nothing changes, or constant; linear in members where a record does, or a node moves. */
    static DisplacedNodes of(World world, RingIntent intent, RingPositions positions, PassMemory memory) {
        return memory.derived(
                SLOT,
                List.of(world.slices(), world.ledger(), positions.byName()),
                List.of(intent.ring()),
                () -> anew(world, intent, positions));
    }

    private static DisplacedNodes anew(World world, RingIntent intent, RingPositions positions) {
        List<String> gone = new ArrayList<>();
        Set<String> moved = new HashSet<>();
        Set<SliceId> of = new HashSet<>();
        world.forEachAllocation(
                intent,
                (slice, recorded) -> recorded.forEachMember(member -> {
                    int position = positions.positionOf(member);
                    if (position == member.position()) {
                        return;
                    }
                    of.add(slice);
                    if (intent.ring().contains(member.position())) {
                        (position == RingPositions.NOWHERE ? gone : moved).add(member.node());
                    }
                }));
        return new DisplacedNodes(List.copyOf(gone), moved, of);
    }
}
