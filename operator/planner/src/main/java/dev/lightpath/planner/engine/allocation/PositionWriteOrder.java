package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingPlacement;
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

/**
 * In which order the records of slices that move are written. Each is written once a pass, and the slice that gives up
 * a position before the one that takes it over: after a crash between two records no seat is held twice. Where two
 * slices take seats of each other, only the groups whose seats are free by then move at first; the next passes move the
 * others. Groups that would have to exchange seats step aside first, one at a time, where there is room to.
 */
public final class PositionWriteOrder {
    private final SortedMap<SliceId, List<RingGroup>> now = new TreeMap<>();
    private final SortedMap<SliceId, List<RingGroup>> then = new TreeMap<>();

    private final SortedMap<SliceId, Set<Integer>> stepped = new TreeMap<>();
    private final Parking parking;

    /** Where a group can stand meanwhile. */
    @FunctionalInterface
    public interface Parking {
        /**
         * @param group that needs seats of other nodes
         * @param taken positions that a slice holds or will hold
         */
        Optional<RingGroup> find(RingGroup group, Set<Integer> taken);
    }

    private PositionWriteOrder(Map<SliceId, RingPlacement> before, Map<SliceId, RingPlacement> moves, Parking parking) {
        this.parking = parking;
        moves.forEach((slice, placement) -> {
            now.put(
                    slice,
                    new ArrayList<>(
                            java.util.Objects.requireNonNull(before.get(slice)).groups()));
            then.put(slice, placement.groups());
        });
    }

    /**
     * What to record first, in this order; empty when groups would have to exchange seats with one another and none can
     * step aside.
     *
     * @param before where the slices that move sit
     * @param moves where they are to sit, group by group
     */
    public static Optional<Map<SliceId, RingPlacement>> first(
            Map<SliceId, RingPlacement> before, Map<SliceId, RingPlacement> moves, Parking parking) {
        PositionWriteOrder handover = new PositionWriteOrder(before, moves, parking);
        Map<SliceId, RingPlacement> first = handover.pass();
        Map<SliceId, RingPlacement> next = first;
        while (!next.isEmpty()) {
            next = handover.pass();
        }
        return handover.now.equals(handover.then) ? Optional.of(first) : Optional.empty();
    }

    /** One record of each slice that can move now, whole slices first. */
    private Map<SliceId, RingPlacement> pass() {
        Map<SliceId, RingPlacement> records = new LinkedHashMap<>();
        for (boolean whole : new boolean[] {true, false}) {
            boolean moved = true;
            while (moved) {
                moved = false;
                for (SliceId slice : now.keySet()) {
                    if (!records.containsKey(slice) && move(slice, whole)) {
                        records.put(slice, new RingPlacement(groups(now, slice)));
                        moved = true;
                        break;
                    }
                }
            }
        }
        if (records.isEmpty() && !now.equals(then)) {
            stepAside(records);
        }
        return records;
    }

    /** The first group that waits for others and finds seats meanwhile; each steps aside once. */
    private void stepAside(Map<SliceId, RingPlacement> records) {
        Set<Integer> taken = new HashSet<>();
        now.values().forEach(groups -> groups.forEach(group -> taken.addAll(group.members())));
        then.values().forEach(groups -> groups.forEach(group -> taken.addAll(group.members())));
        for (SliceId slice : now.keySet()) {
            List<RingGroup> mine = groups(now, slice);
            Set<Integer> before = stepped.computeIfAbsent(slice, unseen -> new HashSet<>());
            for (int group = 0; group < mine.size(); group++) {
                if (mine.get(group).equals(groups(then, slice).get(group)) || before.contains(group)) {
                    continue;
                }
                Optional<RingGroup> aside = parking.find(mine.get(group), taken);
                if (aside.isPresent()) {
                    before.add(group);
                    mine.set(group, aside.get());
                    records.put(slice, new RingPlacement(mine));
                    return;
                }
            }
        }
    }

    private static List<RingGroup> groups(Map<SliceId, List<RingGroup>> of, SliceId slice) {
        return java.util.Objects.requireNonNull(of.get(slice));
    }

    /**
     * Moves the groups of a slice whose new positions no slice holds; false if there is none, or not all of them where
     * all are asked for.
     */
    private boolean move(SliceId slice, boolean whole) {
        List<RingGroup> mine = groups(now, slice);
        List<RingGroup> wish = groups(then, slice);
        Set<Integer> moving = new HashSet<>();
        for (int group = 0; group < mine.size(); group++) {
            if (!mine.get(group).equals(wish.get(group))) {
                moving.add(group);
            }
        }
        int wanted = moving.size();
        Set<Integer> held = held(slice);
        boolean shrinks = true;
        while (shrinks) {
            Set<Integer> stay = new HashSet<>();
            for (int group = 0; group < mine.size(); group++) {
                if (!moving.contains(group)) {
                    stay.addAll(mine.get(group).members());
                }
            }
            shrinks = moving.removeIf(group ->
                    wish.get(group).members().stream().anyMatch(seat -> held.contains(seat) || stay.contains(seat)));
        }
        if (moving.isEmpty() || whole && moving.size() < wanted) {
            return false;
        }
        moving.forEach(group -> mine.set(group, wish.get(group)));
        return true;
    }

    /** Seats that the other slices hold. */
    private Set<Integer> held(SliceId slice) {
        Set<Integer> held = new HashSet<>();
        now.forEach((other, groups) -> {
            if (!other.equals(slice)) {
                groups.forEach(group -> held.addAll(group.members()));
            }
        });
        return held;
    }
}
