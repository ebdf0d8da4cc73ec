package dev.lightpath.planner.engine;

import dev.lightpath.planner.ring.RepairOutcome;
import dev.lightpath.planner.ring.RingCompaction;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingOrchestration;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.RingRepair;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Changes to several slices of one ring at once, of groups of one size: the exact minimum change after a fault, and room for a wish.
 * Slices that are not named stay where they are; light passes by them.
 */
final class Mending {
    /** Cells of a compaction's table: what is answered within milliseconds. */
    private static final long CELLS = 4_000_000;

    private final RingFabric ring;
    private final RingHealth health;
    private final Seats seats;
    private final List<SliceId> owners = new ArrayList<>();
    private final List<RingGroup> groups = new ArrayList<>();
    private final SortedMap<SliceId, RingPlacement> before = new TreeMap<>();

    /** @param moved slices whose groups may change, with where they sit */
    Mending(RingFabric ring, RingHealth health, Seats seats, Map<SliceId, RingPlacement> moved) {
        this.ring = ring;
        this.health = health;
        this.seats = seats;
        this.before.putAll(moved);
        before.forEach((slice, placement) -> placement.groups().forEach(group -> {
            owners.add(slice);
            groups.add(group);
        }));
    }

    /** Seats everybody again with the fewest groups changed; empty when somebody would have no room. */
    Optional<Map<SliceId, RingPlacement>> repair(int tensor) {
        Set<Integer> free = free();
        if (RingOrchestration.usableGroups(ring, health, tensor, obstacles(free)) < groups.size()) {
            return Optional.empty();
        }
        return switch (RingRepair.repairMinimal(ring, health, groups, free)) {
            case RepairOutcome.Repaired repaired when repaired.lost().isEmpty() -> passing(changed(repaired));
            case RepairOutcome.Repaired repaired -> Optional.empty();
            case RepairOutcome.NoRepair none -> Optional.empty();
        };
    }

    /**
     * The fewest moves after which there is room for the wish; empty when the budget does not allow them.
     *
     * @param budget groups that may move at most
     */
    Optional<Map<SliceId, RingPlacement>> makeRoom(RingDemand wish, int budget) {
        Set<Integer> free = free();
        long perGroup = Math.max(1L, groups.size()) * (2L * wish.groups() + 1);
        int most = (int) Math.min(Math.min(budget, groups.size()), CELLS / perGroup);
        if (most < 1
                || RingOrchestration.usableGroups(ring, health, wish.tensor(), obstacles(free))
                        < groups.size() + wish.groups()) {
            return Optional.empty();
        }
        Set<Integer> all = IntStream.range(0, groups.size()).boxed().collect(Collectors.toSet());
        return RingCompaction.makeRoom(ring, health, groups, all, free, wish.nodesPerGroup(ring), wish.groups(), most)
                .map(this::changed)
                .filter(moves -> !moves.isEmpty() && fits(wish, free, moves))
                .flatMap(this::order);
    }

    private boolean fits(RingDemand wish, Set<Integer> free, Map<SliceId, RingPlacement> moves) {
        Set<Integer> occupied = obstacles(free);
        before.forEach((slice, placement) ->
                occupied.addAll(moves.getOrDefault(slice, placement).positions()));
        return RingOrchestration.usableGroups(ring, health, wish.tensor(), occupied) >= wish.groups();
    }

    /** Seats that are free now. */
    private Set<Integer> free() {
        Set<Integer> free = new HashSet<>();
        for (int position = 0; position < ring.positions(); position++) {
            if (seats.isFree(position) && !seats.isKept(position) && !health.isFaulty(position)) {
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

    private Map<SliceId, RingPlacement> changed(RepairOutcome.Repaired repaired) {
        SortedMap<SliceId, List<RingGroup>> after = new TreeMap<>();
        for (int index = 0; index < groups.size(); index++) {
            after.computeIfAbsent(owners.get(index), unseen -> new ArrayList<>())
                    .add(repaired.groups().get(index));
        }
        Map<SliceId, RingPlacement> changed = new LinkedHashMap<>();
        after.forEach((slice, now) -> {
            RingPlacement placement = new RingPlacement(now);
            if (!placement.equals(before.get(slice))) {
                changed.put(slice, placement);
            }
        });
        return changed;
    }

    private Optional<Map<SliceId, RingPlacement>> passing(Map<SliceId, RingPlacement> moves) {
        return moves.isEmpty() ? Optional.empty() : order(moves);
    }

    /**
     * Who loses a seat comes before who takes it over. Empty when two would have to exchange seats: a crash between their records
     * would leave both with the same one.
     */
    private Optional<Map<SliceId, RingPlacement>> order(Map<SliceId, RingPlacement> moves) {
        Map<SliceId, Set<SliceId>> losers = new HashMap<>();
        moves.forEach((winner, placement) -> {
            SortedSet<Integer> gained = new TreeSet<>(placement.positions());
            Set<SliceId> first = new HashSet<>();
            moves.keySet().forEach(loser -> {
                RingPlacement old = before.get(loser);
                if (!loser.equals(winner)
                        && old != null
                        && old.positions().stream().anyMatch(gained::contains)) {
                    first.add(loser);
                }
            });
            losers.put(winner, first);
        });
        Map<SliceId, RingPlacement> ordered = new LinkedHashMap<>();
        while (ordered.size() < moves.size()) {
            Optional<SliceId> next = moves.keySet().stream()
                    .filter(slice -> !ordered.containsKey(slice))
                    .filter(slice -> ordered.keySet().containsAll(losers.getOrDefault(slice, Set.of())))
                    .findFirst();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            ordered.put(next.get(), java.util.Objects.requireNonNull(moves.get(next.get())));
        }
        return Optional.of(ordered);
    }
}
