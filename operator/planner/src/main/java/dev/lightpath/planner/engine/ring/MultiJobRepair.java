package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.PositionWriteOrder;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.ring.placement.SparePolicy;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.ring.repair.RingCompaction;
import dev.lightpath.planner.ring.repair.RingRepair;
import dev.lightpath.planner.ring.repair.RingSets;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Changes to several slices of one ring at once, of groups of any sizes: the minimum change after a fault, and room for
 * a wish. Slices that are not named stay where they are; light passes by them.
 */
final class MultiJobRepair {
    /** Of one walk over the ring: what is answered within some ten milliseconds. */
    private static final int STATES = 10_000;
    /** Passes that one change may take from its first record to its last. */
    private static final int MOST_PASSES = 8;

    private final RingFabric ring;
    private final RingHealth health;
    private final Set<Integer> free;
    private final Set<Integer> freeOnceDark;
    private final List<SliceId> owners = new ArrayList<>();
    private final List<RingGroup> groups = new ArrayList<>();
    private final SortedMap<SliceId, RingPlacement> before = new TreeMap<>();
    private final RingSets sets;

    /**
     * What to record now.
     *
     * @param records in this order
     * @param changedGroups of the whole change, of which the records may be the first part, by whose they are
     * @param joining positions that a slice takes that holds none of them now
     * @param whole whether these records are the whole change
     */
    record Moves(
            Map<SliceId, RingPlacement> records,
            SortedMap<SliceId, Integer> changedGroups,
            Set<Integer> joining,
            boolean whole) {

        int changed() {
            return changedGroups.values().stream().mapToInt(Integer::intValue).sum();
        }

        int changedBeside(SliceId slice) {
            return changed() - changedGroups.getOrDefault(slice, 0);
        }
    }

    /** @param may slices whose groups may change */
    static MultiJobRepair of(RingSeats seats, RingHealth health, List<SliceState> may) {
        return new MultiJobRepair(
                seats.ring(),
                health,
                free(seats.ring(), health, seats.occupancy(), false),
                free(seats.ring(), health, seats.occupancy(), true),
                placements(seats.ring(), may));
    }

    /** The same among all positions but those that are closed then. */
    static MultiJobRepair among(RingSeats seats, List<SliceState> may, Set<Integer> closed) {
        RingHealth health = seats.state().health();
        Set<Integer> free = IntStream.range(0, seats.ring().positions())
                .filter(position -> !closed.contains(position) && !health.isFaulty(position))
                .boxed()
                .collect(Collectors.toSet());
        return new MultiJobRepair(seats.ring(), health, free, free, placements(seats.ring(), may));
    }

    private static Map<SliceId, RingPlacement> placements(RingFabric ring, List<SliceState> slices) {
        return slices.stream().collect(Collectors.toMap(SliceState::id, slice -> slice.placement(ring)));
    }

    private MultiJobRepair(
            RingFabric ring,
            RingHealth health,
            Set<Integer> free,
            Set<Integer> freeOnceDark,
            Map<SliceId, RingPlacement> moved) {
        this.ring = ring;
        this.health = health;
        this.free = free;
        this.freeOnceDark = freeOnceDark;
        this.before.putAll(moved);
        before.forEach((slice, placement) -> placement.groups().forEach(group -> {
            owners.add(slice);
            groups.add(group);
        }));
        this.sets = RingSets.ofJobs(
                ring,
                before.values().stream()
                        .map(placement -> placement.groups().size())
                        .toList());
    }

    /**
     * Places all slices again with the fewest groups changed; empty when one would have no room.
     *
     * @param onceDark whether seats count as free that others left and that are not yet read back dark
     */
    Optional<Moves> repair(boolean onceDark) {
        return carriedThrough(repairOnce(onceDark ? freeOnceDark : free), later -> later.repairOnce(later.free));
    }

    private Optional<Moves> repairOnce(Set<Integer> open) {
        if (!enough(open, 0)) {
            return Optional.empty();
        }
        return switch (RingRepair.repairMinimal(ring, health, groups, open, sets, STATES)) {
            case RepairOutcome.Repaired repaired when repaired.lost().isEmpty() -> moves(repaired);
            case RepairOutcome.Repaired repaired -> Optional.empty();
            case RepairOutcome.NoRepair none -> Optional.empty();
        };
    }

    /**
     * The fewest moves after which there is room for the wish; empty when the budget does not allow them.
     *
     * @param budget groups that may move at most
     */
    Optional<Moves> makeRoom(RingDemand wish, int budget) {
        // who stands aside meanwhile moves twice: only the whole change tells
        return carriedThrough(makeRoomOnce(wish, budget), later -> later.makeRoomOnce(wish, budget))
                .filter(moves -> moves.changed() <= budget);
    }

    private Optional<Moves> makeRoomOnce(RingDemand wish, int budget) {
        if (budget < 1
                || !enough(free, wish.groups() * wish.nodesPerGroup(ring))
                || RingOrchestration.usableGroups(ring, health, wish.tensor(), obstacles(free)) < wish.groups()) {
            return Optional.empty();
        }
        Set<Integer> all = IntStream.range(0, groups.size()).boxed().collect(Collectors.toSet());
        return RingCompaction.makeRoom(
                        ring,
                        health,
                        groups,
                        all,
                        free,
                        wish.nodesPerGroup(ring),
                        wish.groups(),
                        Math.min(budget, groups.size()),
                        sets,
                        STATES)
                .filter(repaired -> fits(wish, free, repaired.groups()))
                .flatMap(this::moves);
    }

    /**
     * A change of several passes is worked out anew in each of them, and a bounded search may then find nothing: what
     * moved would have moved for no gain. So it begins only where the same searches, one after the other, end it. Its
     * count is of all of them.
     */
    private Optional<Moves> carriedThrough(Optional<Moves> first, Function<MultiJobRepair, Optional<Moves>> search) {
        Optional<Moves> next = first;
        MultiJobRepair later = this;
        SortedMap<SliceId, Integer> changed = new TreeMap<>();
        for (int pass = 1; next.isPresent() && !next.get().whole(); pass++) {
            if (pass == MOST_PASSES) {
                return Optional.empty();
            }
            later.count(next.get(), changed);
            later = later.after(next.get());
            next = search.apply(later);
        }
        if (next.isEmpty() || later == this) {
            return next;
        }
        later.count(next.get(), changed);
        return first.map(moves -> new Moves(moves.records(), changed, moves.joining(), false));
    }

    /** Adds the groups that these records change. */
    private void count(Moves moves, SortedMap<SliceId, Integer> changed) {
        moves.records().forEach((slice, placement) -> {
            List<RingGroup> were = new ArrayList<>(
                    java.util.Objects.requireNonNull(before.get(slice)).groups());
            placement.groups().forEach(were::remove);
            changed.merge(slice, were.size(), Integer::sum);
        });
    }

    /** Once these records are written and what they leave is dark. */
    private MultiJobRepair after(Moves moves) {
        Map<SliceId, RingPlacement> seated = new TreeMap<>(before);
        seated.putAll(moves.records());
        Set<Integer> open = new HashSet<>(freeOnceDark);
        before.values().forEach(placement -> open.addAll(placement.positions()));
        seated.values().forEach(placement -> open.removeAll(placement.positions()));
        open.removeIf(health::isFaulty);
        return new MultiJobRepair(ring, health, open, open, seated);
    }

    /** Whether there are nodes for all: counted by groups where all are of one size. */
    private boolean enough(Set<Integer> free, int besides) {
        Set<Integer> usable = new HashSet<>(free);
        int wanted = besides;
        for (RingGroup group : groups) {
            group.members().stream().filter(seat -> !health.isFaulty(seat)).forEach(usable::add);
            wanted += group.size();
        }
        boolean oneSize = groups.stream().mapToInt(RingGroup::size).distinct().count() == 1;
        if (wanted > usable.size() || !oneSize) {
            return wanted <= usable.size();
        }
        int size = groups.getFirst().size();
        return besides > 0
                || RingOrchestration.usableGroups(ring, health, size * ring.gpusPerNode(), obstacles(free))
                        >= groups.size();
    }

    private boolean fits(RingDemand wish, Set<Integer> free, List<RingGroup> after) {
        Set<Integer> occupied = obstacles(free);
        after.forEach(group -> occupied.addAll(group.members()));
        return RingOrchestration.usableGroups(ring, health, wish.tensor(), occupied) >= wish.groups();
    }

    private static Set<Integer> free(RingFabric ring, RingHealth health, Occupancy occupancy, boolean onceDark) {
        Set<Integer> free = new HashSet<>();
        for (int position = 0; position < ring.positions(); position++) {
            boolean open = occupancy.isFree(position) || onceDark && occupancy.isFreeOnceDark(position);
            if (open && !occupancy.isKept(position) && !health.isFaulty(position)) {
                free.add(position);
            }
        }
        return free;
    }

    /** Seats that are neither free nor held by those who may move. */
    private Set<Integer> obstacles(Set<Integer> free) {
        Set<Integer> obstacles = new HashSet<>();
        for (int position = 0; position < ring.positions(); position++) {
            if (!free.contains(position)) {
                obstacles.add(position);
            }
        }
        groups.forEach(group -> obstacles.removeAll(group.members()));
        return obstacles;
    }

    private Optional<Moves> moves(RepairOutcome.Repaired repaired) {
        SortedMap<SliceId, List<RingGroup>> after = new TreeMap<>();
        Set<Integer> joining = new HashSet<>();
        for (int index = 0; index < groups.size(); index++) {
            after.computeIfAbsent(owners.get(index), unseen -> new ArrayList<>())
                    .add(repaired.groups().get(index));
            joining.addAll(repaired.groups().get(index).members());
        }
        groups.forEach(group -> joining.removeAll(group.members()));
        SortedMap<SliceId, Integer> changedGroups = new TreeMap<>();
        repaired.changed().forEach(index -> changedGroups.merge(owners.get(index), 1, Integer::sum));
        Map<SliceId, RingPlacement> changed = new LinkedHashMap<>();
        after.forEach((slice, now) -> {
            RingPlacement placement = new RingPlacement(now);
            if (!placement.equals(before.get(slice))) {
                changed.put(slice, placement);
            }
        });
        return changed.isEmpty()
                ? Optional.empty()
                : PositionWriteOrder.first(before, changed, (group, taken) -> aside(changed.keySet(), group, taken))
                        .map(records -> new Moves(records, changedGroups, joining, records.equals(changed)));
    }

    /** Free seats for a group meanwhile, or seats of those that move. */
    private Optional<RingGroup> aside(Set<SliceId> moving, RingGroup group, Set<Integer> taken) {
        Set<Integer> open = new HashSet<>(free);
        moving.forEach(slice ->
                open.addAll(java.util.Objects.requireNonNull(before.get(slice)).positions()));
        Set<Integer> occupied = new HashSet<>(taken);
        IntStream.range(0, ring.positions())
                .filter(position -> !open.contains(position))
                .forEach(occupied::add);
        RingDemand demand = new RingDemand(group.size() * ring.gpusPerNode(), 1);
        return switch (RingOrchestration.place(ring, health, demand, occupied, SparePolicy.PACKED)) {
            case PlacementOutcome.Placed placed ->
                Optional.of(placed.placement().groups().getFirst());
            case PlacementOutcome.Infeasible none -> Optional.empty();
        };
    }
}
