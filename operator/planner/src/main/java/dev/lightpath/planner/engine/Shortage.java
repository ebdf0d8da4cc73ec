package dev.lightpath.planner.engine;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
                + scene.intent().ring().positions() + " nodes " + nodes(scene, seats) + free(scene, seats);
    }

    /** Said of a wish that the whole fabric, well and free, could not hold; empty for others. */
    static Optional<String> forGood(RingScene scene, Claim claim) {
        RingFabric ring = scene.intent().ring();
        int perNode = claim.demand().groupsPerNode(ring);
        long nodes = (long) claim.demand().nodesPerGroup(ring)
                * Math.ceilDiv(claim.demand().groups(), perNode);
        return nodes <= ring.positions()
                ? Optional.empty()
                : Optional.of("wanted " + claim.intent().demand().gpus() + " GPUs, which take " + nodes
                        + " nodes, and the whole fabric has " + ring.positions() + ": ask for at most "
                        + (long) ring.positions() * ring.gpusPerNode() + " GPUs or name a larger fabric, "
                        + SliceVerdict.Placement.Unplaced.NEVER_FITS);
    }

    private static String free(RingScene scene, Seats seats) {
        RingFabric ring = scene.intent().ring();
        List<Integer> free = IntStream.range(0, ring.positions())
                .filter(seats::isFree)
                .boxed()
                .toList();
        return "; " + free.size() + " are free"
                + (free.isEmpty()
                        ? ""
                        : ", of which at most " + longest(ring, free) + " follow one another within reach "
                                + ring.reach());
    }

    /** Members of the longest run whose neighbours are within reach of one another. */
    private static int longest(RingFabric ring, List<Integer> free) {
        int first = 0;
        int longest = 0;
        int run = 0;
        int runs = 0;
        for (int index = 0; index < free.size(); index++) {
            boolean joined = index > 0 && free.get(index) - free.get(index - 1) <= ring.reach();
            run = joined ? run + 1 : 1;
            runs += joined ? 0 : 1;
            first = runs == 1 ? run : first;
            longest = Math.max(longest, run);
        }
        boolean closed =
                ring.shape() == RingShape.RING && runs > 1 && ring.hop(free.getLast(), free.getFirst()) <= ring.reach();
        return closed ? Math.max(longest, run + first) : longest;
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
        long left = IntStream.range(0, scene.intent().ring().positions())
                .filter(seats::isLeftWithPods)
                .count();
        return scene.health().faulty().size() + " are faulty, " + busy + " busy with other pods, "
                + (cordoned == 0 ? "" : cordoned + " cordoned, ")
                + (left == 0 ? "" : left + " left by jobs whose pods still run there, ")
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
