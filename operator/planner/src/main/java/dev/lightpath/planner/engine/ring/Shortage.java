package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Why there is no room, in figures. */
final class Shortage {
    /** Jobs that are named. */
    private static final int NAMED = 3;

    private Shortage() {}

    static String of(RingSeats seats, SliceState slice, int usableGroups) {
        int tensor = slice.demand().tensor();
        return "wanted " + slice.intent().demand().gpus() + " GPUs in "
                + Counted.of(slice.demand().groups(), "group") + " of " + tensor + ", usable "
                + (long) usableGroups * tensor
                + " GPUs in " + Counted.of(usableGroups, "such group") + ": of "
                + seats.ring().positions() + " nodes " + nodes(seats, slice)
                + free(seats.ring(), seats.occupancy());
    }

    /** Said of a wish that the whole fabric, well and free, could not hold; empty for others. */
    static Optional<String> forGood(RingFabric ring, SliceState slice) {
        long nodes = nodesWanted(ring, slice);
        return nodes <= ring.positions()
                ? Optional.empty()
                : Optional.of("wanted " + slice.intent().demand().gpus() + " GPUs, which take " + nodes
                        + " nodes, and the whole fabric has " + ring.positions() + ": ask for at most "
                        + (long) ring.positions() * ring.gpusPerNode() + " GPUs or name a larger fabric, "
                        + SliceVerdict.Placement.Unplaced.NEVER_FITS);
    }

    private static long nodesWanted(RingFabric ring, SliceState slice) {
        return (long) slice.demand().nodesPerGroup(ring)
                * Math.ceilDiv(slice.demand().groups(), slice.demand().groupsPerNode(ring));
    }

    /**
     * What removes foreign light, where nodes that nothing else keeps from a job lie under it and with them there are
     * enough.
     */
    static String underForeignLight(RingSeats seats, SliceState slice) {
        RingState state = seats.state();
        RingCircuits circuits = seats.circuits();
        Occupancy occupancy = seats.occupancy();
        List<String> under = state.intent().nodes().values().stream()
                .filter(node -> circuits.foreignNodes().contains(node.name())
                        && circuits.takes(node)
                        && !state.health().isFaulty(node.position())
                        && !occupancy.isTaken(node.position()))
                .map(RingNode::name)
                .toList();
        int free = occupancy.free().cardinality();
        if (under.isEmpty() || free + under.size() < nodesWanted(seats.ring(), slice)) {
            return "";
        }
        long count = circuits.foreignNames().stream()
                .filter(circuit -> under.contains(circuit.substring(0, circuit.indexOf('/'))))
                .count();
        return circuits.foreignRule().advice(count, ", on nodes " + Words.sorted(under) + ",");
    }

    private static String free(RingFabric ring, Occupancy occupancy) {
        List<Integer> free = occupancy.free().stream().boxed().toList();
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
    static String ofSpares(RingSeats seats, SliceState slice) {
        return ": of " + seats.ring().positions() + " nodes " + nodes(seats, slice);
    }

    private static String nodes(RingSeats seats, SliceState slice) {
        RingState state = seats.state();
        Occupancy occupancy = seats.occupancy();
        long busy =
                state.intent().nodes().values().stream().filter(RingNode::busy).count();
        long cordoned = state.intent().nodes().values().stream()
                .filter(node -> !node.schedulable())
                .count();
        long left = IntStream.range(0, state.intent().ring().positions())
                .filter(occupancy::isLeftWithPods)
                .count();
        int darkening = occupancy.countDarkening();
        int elsewhere = occupancy.heldElsewhere();
        long closed = state.intent().nodes().values().stream()
                .filter(node -> node.closed()
                        && node.schedulable()
                        && !node.busy()
                        && !occupancy.isHeldElsewhere(node.position()))
                .count();
        long keptOut = state.intent().nodes().values().stream()
                .filter(node -> node.placeable() && isKeptOut(state, occupancy, node.position()))
                .count();
        return Counted.of(state.health().faulty().size(), "is", "are") + " faulty, " + busy + " busy with other pods, "
                + (cordoned == 0 ? "" : cordoned + " cordoned, ")
                + (left == 0 ? "" : left + " left by jobs whose pods still run there, ")
                + (darkening == 0 ? "" : darkening + " left and not read back dark yet, ")
                + (elsewhere == 0 ? "" : elsewhere + " held by jobs on other fabrics, ")
                + (closed == 0 ? "" : closed + " new here or held by jobs on fabrics that others lead, ")
                + (keptOut == 0
                        ? ""
                        : keptOut + " kept from use by foreign light, a quarantine, their device or a record, ")
                + occupancy.taken() + " allocated to jobs"
                + holders(occupancy, slice.id().namespace());
    }

    /** Of nodes that could work: what is left when every other reason is told. */
    private static boolean isKeptOut(RingState state, Occupancy occupancy, int position) {
        return !state.health().isFaulty(position)
                && !occupancy.isTaken(position)
                && !occupancy.isLeftWithPods(position)
                && !occupancy.isHeldElsewhere(position)
                && !occupancy.isFreeOnceDark(position);
    }

    /** Whose the taken nodes are. Who may read the message may know the jobs of its namespace; others are counted. */
    private static String holders(Occupancy occupancy, String namespace) {
        Map<SliceId, Integer> own = new TreeMap<>(occupancy.takenBySlice());
        int all = own.values().stream().mapToInt(Integer::intValue).sum();
        own.keySet().removeIf(slice -> !slice.namespace().equals(namespace));
        int others = all - own.values().stream().mapToInt(Integer::intValue).sum();
        List<String> parts = new ArrayList<>(own.entrySet().stream()
                .sorted(Map.Entry.<SliceId, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(NAMED)
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList());
        if (own.size() > NAMED) {
            parts.add((own.size() - NAMED) + " others");
        }
        if (others > 0) {
            parts.add("other namespaces " + others);
        }
        return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
    }
}
