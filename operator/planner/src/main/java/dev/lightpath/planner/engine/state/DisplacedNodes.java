package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Nodes of displaced members: they are not where a record has them. They follow from the records and from where names
 * sit, and are those of the pass before as long as both are the same. While none is displaced, only records that
 * changed are looked at.
 *
 * @param slices of the world, compared by identity of what they name
 * @param ledger the same
 * @param byName positions of nodes, compared by identity
 * @param gone names of members that sit nowhere on the ring, in order of records
 * @param moved names of members that sit elsewhere
 * @param of slices with such members
 */
record DisplacedNodes(
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<SliceId, LedgerEntry> ledger,
        Map<String, Integer> byName,
        RingFabric ring,
        List<String> gone,
        Set<String> moved,
        Set<SliceId> of) {
    private static final Slot<DisplacedNodes> SLOT = new Slot<>("displaced nodes");

    /** Constant while nothing changes, linear in slices where a record does, linear in members where a node moves. */
    static DisplacedNodes of(World world, RingIntent intent, RingPositions positions, PassMemory memory) {
        DisplacedNodes displaced = memory.before(SLOT)
                .filter(before -> before.byName == positions.byName() && before.ring.equals(intent.ring()))
                .flatMap(before -> before.advanced(world, intent, positions))
                .orElseGet(() -> anew(world, intent, positions));
        memory.keep(SLOT, displaced);
        return displaced;
    }

    private Optional<DisplacedNodes> advanced(World world, RingIntent intent, RingPositions positions) {
        if (slices == world.slices() && ledger == world.ledger()) {
            return Optional.of(this);
        }
        boolean none = of.isEmpty()
                && world.changedSince(slices, ledger).stream()
                        .map(world.slices()::get)
                        .allMatch(slice -> slice == null || !isOf(slice, intent) || isHome(world, slice, positions));
        return none
                ? Optional.of(
                        new DisplacedNodes(world.slices(), world.ledger(), byName, ring, List.of(), Set.of(), Set.of()))
                : Optional.empty();
    }

    private static boolean isOf(SliceIntent slice, RingIntent intent) {
        return slice.fabric().equals(intent.name());
    }

    private static boolean isHome(World world, SliceIntent slice, RingPositions positions) {
        return world.allocation(slice.id()).stream()
                .flatMap(recorded -> recorded.members().stream())
                .allMatch(positions::isHome);
    }

    private static DisplacedNodes anew(World world, RingIntent intent, RingPositions positions) {
        List<String> gone = new ArrayList<>();
        Set<String> moved = new HashSet<>();
        Set<SliceId> of = new HashSet<>();
        for (SliceIntent slice : world.slices().values()) {
            Allocation recorded =
                    isOf(slice, intent) ? world.allocation(slice.id()).orElse(null) : null;
            if (recorded == null) {
                continue;
            }
            recorded.forEachMember(member -> {
                if (positions.isHome(member)) {
                    return;
                }
                of.add(slice.id());
                if (intent.ring().contains(member.position())) {
                    (positions.positionOf(member) == RingPositions.NOWHERE ? gone : moved).add(member.node());
                }
            });
        }
        return new DisplacedNodes(
                world.slices(), world.ledger(), positions.byName(), intent.ring(), List.copyOf(gone), moved, of);
    }
}
