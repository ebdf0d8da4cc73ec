package dev.lightpath.planner.engine;

import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.RepairOutcome;
import dev.lightpath.planner.ring.RingCompaction;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingOrchestration;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.RingRepair;
import dev.lightpath.planner.ring.RingShape;
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
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Changes to several slices of one ring at once, of groups of one size: the exact minimum change after a fault, and room for a wish.
 * Slices that are not named stay where they are; light passes by them.
 */
final class Mending {
    /** Cells of a compaction's table: what is answered within milliseconds. */
    private static final long CELLS = 4_000_000;
    /** Places at which a ring is cut open to look for room. */
    private static final int CUTS = 4;

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
            case RepairOutcome.Repaired repaired when repaired.lost().isEmpty() -> passing(changed(repaired.groups()));
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
        Optional<List<RingGroup>> after = cuts(free).stream()
                .flatMap(cut -> makeRoom(wish, most, free, cut).stream())
                .findFirst();
        return after.map(this::changed)
                .filter(moves -> !moves.isEmpty() && fits(wish, free, moves))
                .flatMap(this::order);
    }

    /**
     * Positions from which the ring, taken as a line, cuts no group; a ring as such would hold one group fixed. Where nothing can pass
     * light that is one, and nothing is lost; else the room at the cut serves one side only.
     */
    private List<Integer> cuts(Set<Integer> free) {
        if (ring.shape() == RingShape.LINE) {
            return List.of(0);
        }
        int gap = afterGap(free);
        if (gap >= 0) {
            return List.of(gap);
        }
        return groups.stream()
                .flatMap(group -> Stream.of(group.first(), ring.at(group.last(), 1)))
                .distinct()
                .filter(cut -> groups.stream().noneMatch(group -> spans(group, cut)))
                .limit(CUTS)
                .toList();
    }

    /** The first position behind a stretch that no group can cross, or -1. */
    private int afterGap(Set<Integer> free) {
        Set<Integer> usable = new HashSet<>(free);
        groups.forEach(group -> usable.addAll(group.members()));
        int run = 0;
        for (int at = 0; at < 2 * ring.positions(); at++) {
            int position = at % ring.positions();
            if (!usable.contains(position)) {
                run++;
            } else if (run >= ring.reach()) {
                return position;
            } else {
                run = 0;
            }
        }
        return -1;
    }

    private boolean spans(RingGroup group, int position) {
        int within = ring.hop(group.first(), position);
        return within > 0 && within <= ring.hop(group.first(), group.last());
    }

    private Optional<List<RingGroup>> makeRoom(RingDemand wish, int most, Set<Integer> free, int first) {
        int n = ring.positions();
        IntUnaryOperator turn = position -> Math.floorMod(position - first, n);
        SortedMap<Integer, SortedSet<BundlePath>> lost = new TreeMap<>();
        health.lost().forEach((position, paths) -> lost.put(turn.applyAsInt(position), paths));
        RingHealth turned = RingHealth.of(turned(health.faulty(), turn), lost);
        Set<Integer> all = IntStream.range(0, groups.size()).boxed().collect(Collectors.toSet());
        return RingCompaction.makeRoom(
                        RingFabric.of(RingShape.LINE, n, ring.reach(), ring.gpusPerNode()),
                        turned,
                        turned(groups, turn),
                        all,
                        turned(free, turn),
                        wish.nodesPerGroup(ring),
                        wish.groups(),
                        most)
                .map(moved -> turned(moved.groups(), position -> (position + first) % n));
    }

    private static Set<Integer> turned(Set<Integer> positions, IntUnaryOperator turn) {
        return positions.stream().map(turn::applyAsInt).collect(Collectors.toSet());
    }

    private static List<RingGroup> turned(List<RingGroup> groups, IntUnaryOperator turn) {
        return groups.stream()
                .map(group -> RingGroup.of(
                        group.members().stream().map(turn::applyAsInt).toList()))
                .toList();
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

    private Map<SliceId, RingPlacement> changed(List<RingGroup> repaired) {
        SortedMap<SliceId, List<RingGroup>> after = new TreeMap<>();
        for (int index = 0; index < groups.size(); index++) {
            after.computeIfAbsent(owners.get(index), unseen -> new ArrayList<>())
                    .add(repaired.get(index));
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
