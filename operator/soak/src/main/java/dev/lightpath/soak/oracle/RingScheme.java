package dev.lightpath.soak.oracle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A ring or line of nodes as its administrator described it.
 *
 * @param closed whether it is a ring
 * @param reach bundles of a node, and the farthest hop of one
 * @param nodes names in ring order, which are the names of their transceivers too
 */
public record RingScheme(String fabric, boolean closed, int reach, int gpusPerNode, List<String> nodes) {
    public RingScheme {
        nodes = List.copyOf(nodes);
    }

    /** A ring of nodes of 4 GPUs and reach 3, in no environment. */
    public static RingScheme onPaper(int nodes) {
        return new RingScheme(
                "ring",
                true,
                3,
                4,
                IntStream.range(0, nodes).mapToObj(node -> "n" + node).toList());
    }

    public int positions() {
        return nodes.size();
    }

    /** Position by name of the node. */
    public Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        for (int position = 0; position < nodes.size(); position++) {
            places.put(nodes.get(position), position);
        }
        return places;
    }

    /** The position some steps to the right (negative: left), -1 beyond the end of a line. */
    int at(int position, int hop) {
        int there = position + hop;
        if (closed) {
            return Math.floorMod(there, positions());
        }
        return there < 0 || there >= positions() ? -1 : there;
    }
}
