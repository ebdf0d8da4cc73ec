package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Why there is no room, in figures. */
final class Shortage {
    /** Jobs that are named. */
    private static final int NAMED = 3;

    private Shortage() {}

    static String of(RingScene scene, Seats seats, Claim claim, int usableGroups) {
        int tensor = claim.demand().tensor();
        return "wanted " + claim.intent().demand().gpus() + " GPUs in "
                + claim.demand().groups() + " groups of " + tensor + ", usable " + (long) usableGroups * tensor
                + " GPUs in " + usableGroups + " such groups: of "
                + scene.intent().ring().positions() + " nodes " + nodes(scene, seats);
    }

    /** After the reason why no repair fits. */
    static String ofSpares(RingScene scene, Seats seats) {
        return ": of " + scene.intent().ring().positions() + " nodes " + nodes(scene, seats);
    }

    private static String nodes(RingScene scene, Seats seats) {
        long busy =
                scene.intent().nodes().values().stream().filter(RingNode::busy).count();
        long cordoned = scene.intent().nodes().values().stream()
                .filter(node -> !node.schedulable())
                .count();
        return scene.health().faulty().size() + " are faulty, " + busy + " busy with other pods, "
                + (cordoned == 0 ? "" : cordoned + " cordoned, ")
                + seats.taken() + " allocated to jobs" + holders(seats);
    }

    private static String holders(Seats seats) {
        Map<SliceId, Integer> bySlice = new TreeMap<>();
        seats.owners().values().forEach(owner -> bySlice.merge(owner, 1, Integer::sum));
        if (bySlice.isEmpty()) {
            return "";
        }
        String named = bySlice.entrySet().stream()
                .sorted(Map.Entry.<SliceId, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(NAMED)
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        return " (" + named + (bySlice.size() > NAMED ? ", " + (bySlice.size() - NAMED) + " others" : "") + ")";
    }
}
