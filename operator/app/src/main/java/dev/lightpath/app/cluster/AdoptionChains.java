package dev.lightpath.app.cluster;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which records must be written one after the other. Where circuits pass from one slice to another, the slice that
 * loses them is written before the one that gets them. So records that have a node in common, before or after, keep
 * their order. If one record has circuits on switches, all records keep their order, because nodes do not show which
 * ports they share.
 */
final class AdoptionChains {
    private AdoptionChains() {}

    /**
     * O(entries * chains + nodes log nodes).
     *
     * @param recorded what these slices have now
     * @return chains that are independent of each other, in each those that have a node in common in the order of
     *     {@code entries}
     */
    static List<List<Decision.Adopt.Entry>> of(List<Decision.Adopt.Entry> entries, Map<SliceId, Allocation> recorded) {
        if (entries.stream().anyMatch(entry -> entry.allocation().usesSwitches())
                || recorded.values().stream().anyMatch(Allocation::usesSwitches)) {
            return List.of(entries);
        }
        List<Chain> chains = new ArrayList<>();
        for (Decision.Adopt.Entry entry : entries) {
            Chain chain = new Chain(
                    new ArrayList<>(), entry.allocation().heldSince(Optional.ofNullable(recorded.get(entry.slice()))));
            // those that it joins had nothing in common, so their order among each other is free
            List<Chain> touched = new ArrayList<>();
            for (Iterator<Chain> each = chains.iterator(); each.hasNext(); ) {
                Chain other = each.next();
                if (other.nodes().stream().anyMatch(chain.nodes()::contains)) {
                    touched.add(other);
                    each.remove();
                }
            }
            touched.forEach(other -> {
                chain.entries().addAll(other.entries());
                chain.nodes().addAll(other.nodes());
            });
            chain.entries().add(entry);
            chains.add(chain);
        }
        return chains.stream().map(chain -> List.copyOf(chain.entries())).toList();
    }

    private record Chain(List<Decision.Adopt.Entry> entries, Set<String> nodes) {}
}
