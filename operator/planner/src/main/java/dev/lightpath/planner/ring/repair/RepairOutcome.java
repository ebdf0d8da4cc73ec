package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.RingGroup;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The answer to a request for repair. */
public sealed interface RepairOutcome {

    /**
     * @param groups by the indices of the request; lost groups keep their old members
     * @param changed indices of groups with other members than before
     * @param lost indices of broken groups for which there is no room
     * @param changedBundles bundles whose wanted state differs from before, those of faulty nodes included
     */
    record Repaired(List<RingGroup> groups, SortedSet<Integer> changed, SortedSet<Integer> lost, int changedBundles)
            implements RepairOutcome {

        public Repaired {
            groups = List.copyOf(groups);
            changed = Collections.unmodifiableSortedSet(new TreeSet<>(changed));
            lost = Collections.unmodifiableSortedSet(new TreeSet<>(lost));
        }

        /** The groups that are not lost, in the order of the request. */
        public List<RingGroup> kept() {
            List<RingGroup> kept = new java.util.ArrayList<>();
            for (int index = 0; index < groups.size(); index++) {
                if (!lost.contains(index)) {
                    kept.add(groups.get(index));
                }
            }
            return List.copyOf(kept);
        }
    }

    /** @param reason for a person: none of the broken groups can be repaired */
    record NoRepair(String reason) implements RepairOutcome {}
}
