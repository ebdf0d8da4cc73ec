package dev.lightpath.planner.ring;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where the groups of a job sit. Their order is the job's: consecutive groups communicate outside the ring.
 *
 * @param groups in the job's order
 */
public record RingPlacement(List<RingGroup> groups) {

    public static final RingPlacement EMPTY = new RingPlacement(List.of());

    public RingPlacement {
        groups = List.copyOf(groups);
    }

    /** All positions that some group uses. */
    public SortedSet<Integer> positions() {
        SortedSet<Integer> used = new TreeSet<>();
        groups.forEach(group -> used.addAll(group.members()));
        return Collections.unmodifiableSortedSet(used);
    }
}
