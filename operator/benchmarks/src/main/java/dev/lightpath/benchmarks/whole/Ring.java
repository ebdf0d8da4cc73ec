package dev.lightpath.benchmarks.whole;

import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** A ring of reach 3 as its records describe it. */
record Ring(int nodes) {
    /** InfinitePOD, the port map of K = 3: B0 -1/-2, B1 +1/+2, B2 -3/+3. */
    private static final Map<Integer, String> PATH_OF_HOP =
            Map.of(-1, "b0.path1", -2, "b0.path2", 1, "b1.path1", 2, "b1.path2", -3, "b2.path1", 3, "b2.path2");

    /** So far from a broken node light is expected to change. */
    private static final int NEIGHBOURHOOD = 24;

    /**
     * A node between two others of its group.
     *
     * @param path its port towards the next
     */
    record Member(String slice, int position, String path) {
        String node() {
            return "n" + position;
        }
    }

    /** The inner nodes of all groups. */
    List<Member> members(Collection<FabricSlice> slices) {
        List<Member> members = new ArrayList<>();
        for (FabricSlice slice : slices) {
            for (GroupAllocation group : groups(slice)) {
                for (int i = 1; i < group.positions().size() - 1; i++) {
                    int here = group.positions().get(i);
                    members.add(new Member(
                            slice.getMetadata().getName(),
                            here,
                            path(group.positions().get(i + 1) - here)));
                }
            }
        }
        return members;
    }

    /** Of all members of all groups. */
    static Set<Integer> positions(FabricSlice slice) {
        Set<Integer> positions = new HashSet<>();
        groups(slice).forEach(group -> positions.addAll(group.positions()));
        return positions;
    }

    private static List<GroupAllocation> groups(FabricSlice slice) {
        return slice.getStatus() == null
                        || slice.getStatus().allocation() == null
                        || !slice.getSpec().fabric().equals("ring-a")
                ? List.of()
                : slice.getStatus().allocation().groups();
    }

    private String path(int difference) {
        int hop = Math.floorMod(difference, nodes);
        String path = PATH_OF_HOP.get(hop > nodes / 2 ? hop - nodes : hop);
        if (path == null) {
            throw new IllegalStateException("a hop of " + difference + " is out of reach");
        }
        return path;
    }

    /** The nodes around a member, without itself. */
    Set<String> neighbourhood(Member member) {
        Set<String> around = new HashSet<>();
        for (int step = -NEIGHBOURHOOD; step <= NEIGHBOURHOOD; step++) {
            around.add("n" + Math.floorMod(member.position() + step, nodes));
        }
        around.remove(member.node());
        return around;
    }

    /** Circuits between nodes by the records, as {@link Light#of} writes them. */
    SortedSet<String> active(Collection<FabricSlice> slices) {
        SortedSet<String> active = new TreeSet<>();
        for (FabricSlice slice : slices) {
            for (GroupAllocation group : groups(slice)) {
                List<Integer> positions = group.positions();
                for (int i = 1; i < positions.size(); i++) {
                    int hop = positions.get(i) - positions.get(i - 1);
                    active.add(circuit(positions.get(i - 1), path(hop)));
                    active.add(circuit(positions.get(i), path(-hop)));
                }
            }
        }
        return active;
    }

    /** What light has to do by the records, as {@link Light#of}. */
    SortedSet<String> recorded(Collection<FabricSlice> slices) {
        SortedSet<String> active = active(slices);
        SortedSet<String> all = new TreeSet<>(active);
        for (int node = 0; node < nodes; node++) {
            for (int bundle = 0; bundle < 3; bundle++) {
                String prefix = "n" + node + "/b" + bundle + ".";
                if (active.tailSet(prefix).isEmpty()
                        || !active.tailSet(prefix).first().startsWith(prefix)) {
                    all.add(circuit(node, "b" + bundle + ".loop"));
                }
            }
        }
        return all;
    }

    private static String circuit(int node, String egress) {
        return "n" + node + "/" + egress.substring(0, 2) + ".common->" + egress;
    }
}
