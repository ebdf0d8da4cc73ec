package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Gives seats to slices: in the picture of the seats, and in the draft of what is recorded. */
final class AllocationWriter {
    static final int MOST_NAMED = 8;

    private final RingSeats seats;

    AllocationWriter(RingSeats seats) {
        this.seats = seats;
    }

    /** Why one slice of several moves. */
    @FunctionalInterface
    interface Reason {
        /** @param change who comes and who goes */
        String of(SliceId id, String change);
    }

    void give(SliceState slice, RingPlacement placement, Planner which, String why) {
        give(slice, placement, Set.of(), which, (id, change) -> why);
    }

    /** What a repair made of the broken ones of its groups; those that are lost stay as they are recorded. */
    void give(SliceState slice, RepairOutcome.Repaired repaired, Set<Integer> broken, Planner which) {
        give(slice, new RingPlacement(repaired.groups()), mended(repaired, broken), which, (id, change) -> change);
    }

    /**
     * The same with some of the groups alone: those keep their members, in this order.
     *
     * @param left indices of groups that are not lost
     */
    void narrow(
            SliceState slice, RepairOutcome.Repaired repaired, Set<Integer> broken, List<Integer> left, String why) {
        List<Allocation.Group> groups =
                slice.seat(seats.state().intent(), new RingPlacement(repaired.groups()), mended(repaired, broken));
        RingPlacement after =
                new RingPlacement(left.stream().map(repaired.groups()::get).toList());
        record(
                slice,
                after,
                left.stream().map(groups::get).toList(),
                Planner.LOCAL_REPAIR,
                (id, change) -> why + ", " + change);
    }

    private static Set<Integer> mended(RepairOutcome.Repaired repaired, Set<Integer> broken) {
        Set<Integer> mended = new HashSet<>(broken);
        mended.removeAll(repaired.lost());
        return mended;
    }

    /** Whether the record of what a repair made would name one node at two positions. */
    boolean namesTwice(SliceState slice, RepairOutcome.Repaired repaired, Set<Integer> broken) {
        Map<String, Integer> positions = new HashMap<>();
        return slice
                .seat(seats.state().intent(), new RingPlacement(repaired.groups()), mended(repaired, broken))
                .stream()
                .flatMap(group -> group.members().stream())
                .anyMatch(member -> {
                    Integer known = positions.putIfAbsent(member.node(), member.position());
                    return known != null && known != member.position();
                });
    }

    /** Other slices move, in the order of the map, so that this one gets a place. */
    void makeRoom(SliceState slice, Map<SliceId, RingPlacement> records) {
        JobId job = slice.intent().job();
        give(
                records,
                Planner.COMPACTION,
                (id, change) -> "makes room for "
                        + Counted.of(slice.least().groups(), "group") + " of "
                        + slice.least().tensor() + " GPUs of "
                        + job.toldTo(id.namespace()));
        records.keySet().forEach(id -> seats.draft().makesRoom(id, job));
    }

    /** Several slices, in the order of the map. */
    void give(Map<SliceId, RingPlacement> records, Planner which, Reason why) {
        records.forEach((id, after) -> give(seats.slice(id), after, Set.of(), which, why));
    }

    private void give(SliceState slice, RingPlacement after, Set<Integer> renewed, Planner which, Reason why) {
        record(slice, after, slice.seat(seats.state().intent(), after, renewed), which, why);
    }

    private void record(
            SliceState slice, RingPlacement after, List<Allocation.Group> groups, Planner which, Reason why) {
        RingFabric ring = seats.ring();
        seats.draft().ran(which);
        RingPlacement before = slice.placement(ring);
        seats.occupancy().move(slice.id(), before.positions(), after.positions());
        List<Allocation.Group> were = slice.recorded().map(Allocation::groups).orElse(List.of());
        BundleStates lit =
                BundleDerivation.derive(ring, before.groups()).states().without(reseated(were, groups));
        int bundles = BundleDerivation.derive(ring, after.groups()).states().changedBundles(lit);
        seats.draft()
                .gain(slice, slice.give(groups, new Origin(which, bundles, why.of(slice.id(), change(were, groups)))));
    }

    /** Positions that another node has than before: its light is not set yet. */
    private static Set<Integer> reseated(List<Allocation.Group> before, List<Allocation.Group> after) {
        SortedMap<Integer, String> names = names(before);
        Set<Integer> reseated = new HashSet<>();
        names(after).forEach((position, name) -> {
            if (!name.equals(names.getOrDefault(position, name))) {
                reseated.add(position);
            }
        });
        return reseated;
    }

    private static SortedMap<Integer, String> names(List<Allocation.Group> groups) {
        SortedMap<Integer, String> names = new TreeMap<>();
        groups.forEach(group -> group.members().forEach(member -> names.put(member.position(), member.node())));
        return names;
    }

    /** Who comes and who goes, for people. */
    private static String change(List<Allocation.Group> before, List<Allocation.Group> after) {
        Set<String> were = new LinkedHashSet<>(names(before).values());
        Set<String> are = new LinkedHashSet<>(names(after).values());
        List<String> joining = are.stream().filter(name -> !were.contains(name)).toList();
        List<String> leaving = were.stream().filter(name -> !are.contains(name)).toList();
        long groups = IntStream.range(0, after.size())
                .filter(index -> index >= before.size() || !after.get(index).equals(before.get(index)))
                .count();
        return listed(joining) + " in for " + listed(leaving) + ", " + groups + " of " + after.size()
                + " groups changed";
    }

    /** The nodes that sit at these positions now, for people. */
    String names(SortedSet<Integer> positions) {
        return listed(positions.stream()
                .map(position ->
                        seats.state().nodeAt(position).map(RingNode::name).orElse("position " + position))
                .toList());
    }

    private static String listed(List<String> names) {
        return names.isEmpty() ? "nobody" : Words.first(MOST_NAMED, names);
    }
}
