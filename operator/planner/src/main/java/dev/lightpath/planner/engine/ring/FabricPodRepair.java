package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.ring.repair.RingRepair;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Repairs the groups of a job on two fabrics pod by pod: a group takes spares of the pod of its stage alone, and a pod
 * without any is no reason to leave the groups of another broken.
 */
final class FabricPodRepair {
    private final RingState state;
    private final ScaleOutPlacement sibling;
    private final RingHealth health;
    private final Set<Integer> spares;

    /** @param spares positions that may join, of any pod */
    FabricPodRepair(RingState state, ScaleOutPlacement sibling, RingHealth health, Set<Integer> spares) {
        this.state = state;
        this.sibling = sibling;
        this.health = health;
        this.spares = spares;
    }

    RepairOutcome repair(List<RingGroup> groups, SortedSet<Integer> broken, int tensor) {
        List<String> pods = sibling.pods(tensor);
        if (pods.size() != groups.size()) {
            return none();
        }
        List<RingGroup> now = groups;
        SortedSet<Integer> lost = new TreeSet<>();
        SortedSet<Integer> changed = new TreeSet<>();
        int bundles = 0;
        for (String pod : new TreeSet<>(broken.stream().map(pods::get).toList())) {
            Set<Integer> here = IntStream.range(0, pods.size())
                    .filter(index -> pods.get(index).equals(pod))
                    .boxed()
                    .collect(Collectors.toSet());
            SortedSet<Integer> brokenHere = new TreeSet<>(broken);
            brokenHere.retainAll(here);
            Set<Integer> territory = sibling.podNodes(pod, state.byName());
            Set<Integer> free = spares.stream().filter(territory::contains).collect(Collectors.toSet());
            RepairOutcome outcome = RingRepair.repair(state.intent().ring(), health, now, brokenHere, here, free);
            if (outcome instanceof RepairOutcome.Repaired some && isWithin(territory, some)) {
                now = some.groups();
                lost.addAll(some.lost());
                changed.addAll(some.changed());
                bundles += some.changedBundles();
            } else {
                lost.addAll(brokenHere);
            }
        }
        return lost.containsAll(broken) ? none() : new RepairOutcome.Repaired(now, changed, lost, bundles);
    }

    /** A member whose Node was moved to another pod stays out of place however its group is repaired. */
    private static boolean isWithin(Set<Integer> territory, RepairOutcome.Repaired some) {
        return some.changed().stream()
                .allMatch(
                        index -> territory.containsAll(some.groups().get(index).members()));
    }

    private static RepairOutcome none() {
        return new RepairOutcome.NoRepair("no spare within reach in the pod of its stage");
    }
}
