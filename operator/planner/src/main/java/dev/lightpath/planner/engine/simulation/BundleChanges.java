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

/** What differs between the bundles that two states of the records ask for. */
final class BundleChanges {
    private BundleChanges() {}

    private record Tuned(String node, SliceId slice, List<BundleState> states) {}

    /** Every bundle that changes its state, in order of positions. O(members * reach). */
    static List<RingPreview.Retuning> between(
            RingFabric ring, SortedMap<SliceId, LedgerEntry> before, SortedMap<SliceId, LedgerEntry> after) {
        SortedMap<Integer, Tuned> was = tuned(ring, before);
        SortedMap<Integer, Tuned> will = tuned(ring, after);
        SortedSet<Integer> positions = new TreeSet<>(was.keySet());
        positions.addAll(will.keySet());
        List<BundleState> dark = Collections.nCopies(ring.reach(), BundleState.LOOPBACK);
        List<RingPreview.Retuning> retunings = new ArrayList<>();
        for (int position : positions) {
            Tuned from = was.get(position);
            Tuned to = will.get(position);
            Tuned named = to == null ? Objects.requireNonNull(from) : to;
            for (int bundle = 0; bundle < ring.reach(); bundle++) {
                BundleState old = (from == null ? dark : from.states()).get(bundle);
                BundleState next = (to == null ? dark : to.states()).get(bundle);
                if (old != next) {
                    retunings.add(new RingPreview.Retuning(named.node(), position, bundle, old, next, named.slice()));
                }
            }
        }
        return retunings;
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
