package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A bundle's change of state. {@code slice} holds the node afterwards, or held it before. */
public record BundleChange(String node, int position, int bundle, BundleState from, BundleState to, SliceId slice) {
    private record Tuned(String node, SliceId slice, List<BundleState> states) {}

    /** Every bundle of which two states of the records ask for another state, by position. O(members * reach). */
    static List<BundleChange> between(
            RingFabric ring, SortedMap<SliceId, LedgerEntry> before, SortedMap<SliceId, LedgerEntry> after) {
        SortedMap<Integer, Tuned> was = tuned(ring, before);
        SortedMap<Integer, Tuned> will = tuned(ring, after);
        SortedSet<Integer> positions = new TreeSet<>(was.keySet());
        positions.addAll(will.keySet());
        List<BundleState> dark = Collections.nCopies(ring.reach(), BundleState.LOOPBACK);
        List<BundleChange> changes = new ArrayList<>();
        for (int position : positions) {
            Tuned from = was.get(position);
            Tuned to = will.get(position);
            Tuned named = to == null ? Objects.requireNonNull(from) : to;
            for (int bundle = 0; bundle < ring.reach(); bundle++) {
                BundleState old = (from == null ? dark : from.states()).get(bundle);
                BundleState next = (to == null ? dark : to.states()).get(bundle);
                if (old != next) {
                    changes.add(new BundleChange(named.node(), position, bundle, old, next, named.slice()));
                }
            }
        }
        return changes;
    }

    private static SortedMap<Integer, Tuned> tuned(RingFabric ring, SortedMap<SliceId, LedgerEntry> ledger) {
        SortedMap<Integer, Tuned> tuned = new TreeMap<>();
        ledger.forEach((id, entry) -> entry.allocation()
                .filter(allocation -> InvalidAllocation.derivable(allocation, ring))
                .ifPresent(allocation -> {
                    // groups that share a node need no light, so whole nodes are right for all
                    var states = BundleDerivation.derive(ring, SliceState.groupsOf(allocation))
                            .states();
                    allocation
                            .members()
                            .forEach(member -> tuned.put(
                                    member.position(), new Tuned(member.node(), id, states.of(member.position()))));
                }));
        return tuned;
    }
}
