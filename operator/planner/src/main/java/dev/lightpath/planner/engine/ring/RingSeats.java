package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.state.RingState;
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
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The seats of one ring while a pass decides, as the jobs that are served one after another share them: what one takes
 * is not there for the next. What is given is given in the picture of the seats, and in the draft of what is recorded.
 *
 * @param slices in order of precedence
 */
record RingSeats(
        RingState state,
        RingCircuits circuits,
        List<SliceState> slices,
        Occupancy occupancy,
        LedgerDraft draft,
        RepairGate gate) {
    static final int MOST_NAMED = 8;

    RingFabric ring() {
        return state.intent().ring();
    }

    ChangeFreeze freeze() {
        return circuits.freeze();
    }

    /** No repair waits for a search that takes its time: room is made once what broke has had its answer. */
    boolean anyFreshFault() {
        Optional<Instant> settled = state.repairsFirstUntil();
        settled.ifPresent(draft::wake);
        return settled.isPresent();
    }

    SliceState slice(SliceId id) {
        return slices.stream()
                .filter(slice -> slice.id().equals(id))
                .findFirst()
                .orElseThrow();
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
                slice.seat(state.intent(), new RingPlacement(repaired.groups()), mended(repaired, broken));
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
        return slice.seat(state.intent(), new RingPlacement(repaired.groups()), mended(repaired, broken)).stream()
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
        records.keySet().forEach(id -> draft.makesRoom(id, job));
    }

    /** Several slices, in the order of the map. */
    void give(Map<SliceId, RingPlacement> records, Planner which, Reason why) {
        records.forEach((id, after) -> give(slice(id), after, Set.of(), which, why));
    }

    private void give(SliceState slice, RingPlacement after, Set<Integer> renewed, Planner which, Reason why) {
        record(slice, after, slice.seat(state.intent(), after, renewed), which, why);
    }

    private void record(
            SliceState slice, RingPlacement after, List<Allocation.Group> groups, Planner which, Reason why) {
        RingFabric ring = ring();
        draft.ran(which);
        RingPlacement before = slice.placement(ring);
        occupancy.move(slice.id(), before.positions(), after.positions());
        List<Allocation.Group> were = slice.groups();
        BundleStates lit =
                BundleDerivation.derive(ring, before.groups()).states().without(reseated(were, groups));
        int bundles = BundleDerivation.derive(ring, after.groups()).states().changedBundles(lit);
        draft.gain(slice, slice.give(groups, new Origin(which, bundles, why.of(slice.id(), change(were, groups)))));
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
                .map(position -> state.nodeAt(position).map(RingNode::name).orElse("position " + position))
                .toList());
    }

    private static String listed(List<String> names) {
        return names.isEmpty() ? "nobody" : Words.first(MOST_NAMED, names);
    }
}
