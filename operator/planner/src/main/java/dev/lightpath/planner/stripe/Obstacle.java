package dev.lightpath.planner.stripe;

import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Counting arguments why no striping can exist. Sufficient to refuse, not to accept. */
final class Obstacle {
    private Obstacle() {}

    /** The first obstacle, in words; checks pods, pairs, and sets of pods peeled down from each connected component. */
    static Optional<String> find(CircuitGraph graph) {
        int[] degree = new int[graph.nodes];
        for (int q = 0; q < graph.pairs(); q++) {
            degree[graph.first[q]] += graph.wanted[q];
            degree[graph.second[q]] += graph.wanted[q];
        }
        for (int v = 0; v < graph.nodes; v++) {
            int ports = 0;
            for (int k = 0; k < graph.switches; k++) {
                ports += graph.capacity[v * graph.switches + k];
            }
            if (degree[v] > ports) {
                return Optional.of("pod " + graph.pod(v) + " wants " + degree[v] + " circuits" + direction(graph, v)
                        + " but has " + ports + " usable ports on " + switches(graph));
            }
        }
        for (int q = 0; q < graph.pairs(); q++) {
            int room = 0;
            for (int k = 0; k < graph.switches; k++) {
                room += Math.min(
                        graph.capacity[graph.first[q] * graph.switches + k],
                        graph.capacity[graph.second[q] * graph.switches + k]);
            }
            if (graph.wanted[q] > room) {
                return Optional.of("pods " + graph.pod(graph.first[q]) + " and " + graph.pod(graph.second[q]) + " want "
                        + graph.wanted[q] + " circuits but have usable ports on the same switch for " + room);
            }
        }
        for (BitSet component : components(graph)) {
            Optional<String> found = peel(graph, component);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** What makes a case hard that no counting argument refuses. */
    static String hint(CircuitGraph graph) {
        return graph.request.device() == DeviceKind.ANY_TO_ANY && graph.request.portsPerPod() % 2 != 0
                ? "with an odd number of ports per pod and switch, odd cycles of pods may not fit any-to-any switches"
                : "the usable ports are too unevenly spread over the switches";
    }

    /**
     * Drops the pod with the fewest circuits inside again and again, asking of each set that is left whether it fits.
     */
    private static Optional<String> peel(CircuitGraph graph, BitSet component) {
        BitSet set = (BitSet) component.clone();
        int[] inside = new int[graph.nodes];
        int[] capacity = new int[2 * graph.switches];
        int wanted = 0;
        for (int q = 0; q < graph.pairs(); q++) {
            if (set.get(graph.first[q])) {
                inside[graph.first[q]] += graph.wanted[q];
                inside[graph.second[q]] += graph.wanted[q];
                wanted += graph.wanted[q];
            }
        }
        for (int v = set.nextSetBit(0); v >= 0; v = set.nextSetBit(v + 1)) {
            count(graph, v, capacity, 1);
        }
        while (set.cardinality() > 1) {
            int room = room(graph, capacity);
            if (wanted > room) {
                return Optional.of("pods " + names(graph, set) + " want " + wanted + " circuits among them but "
                        + switches(graph) + " can join their usable ports by " + room + " at most");
            }
            int loneliest = -1;
            for (int v = set.nextSetBit(0); v >= 0; v = set.nextSetBit(v + 1)) {
                if (loneliest < 0 || inside[v] < inside[loneliest]) {
                    loneliest = v;
                }
            }
            set.clear(loneliest);
            count(graph, loneliest, capacity, -1);
            wanted -= inside[loneliest];
            for (int q = 0; q < graph.pairs(); q++) {
                if (graph.first[q] == loneliest) {
                    inside[graph.second[q]] -= graph.wanted[q];
                } else if (graph.second[q] == loneliest) {
                    inside[graph.first[q]] -= graph.wanted[q];
                }
            }
        }
        return Optional.empty();
    }

    private static void count(CircuitGraph graph, int node, int[] capacity, int sign) {
        boolean second = graph.request.device() == DeviceKind.TWO_SIDED
                && node >= graph.request.topology().pods();
        for (int k = 0; k < graph.switches; k++) {
            capacity[2 * k + (second ? 1 : 0)] += sign * graph.capacity[node * graph.switches + k];
        }
    }

    private static int room(CircuitGraph graph, int[] capacity) {
        int room = 0;
        for (int k = 0; k < graph.switches; k++) {
            room += graph.request.device() == DeviceKind.TWO_SIDED
                    ? Math.min(capacity[2 * k], capacity[2 * k + 1])
                    : capacity[2 * k] / 2;
        }
        return room;
    }

    private static List<BitSet> components(CircuitGraph graph) {
        int[] root = new int[graph.nodes];
        for (int v = 0; v < root.length; v++) {
            root[v] = v;
        }
        for (int q = 0; q < graph.pairs(); q++) {
            root[rootOf(root, graph.first[q])] = rootOf(root, graph.second[q]);
        }
        BitSet[] byRoot = new BitSet[graph.nodes];
        List<BitSet> components = new ArrayList<>();
        for (int v = 0; v < root.length; v++) {
            int r = rootOf(root, v);
            if (byRoot[r] == null) {
                byRoot[r] = new BitSet();
                components.add(byRoot[r]);
            }
            byRoot[r].set(v);
        }
        return components;
    }

    private static int rootOf(int[] root, int v) {
        int node = v;
        while (root[node] != node) {
            root[node] = root[root[node]];
            node = root[node];
        }
        return node;
    }

    private static String direction(CircuitGraph graph, int node) {
        if (graph.request.device() == DeviceKind.ANY_TO_ANY) {
            return "";
        }
        return node < graph.request.topology().pods() ? " out" : " in";
    }

    private static String switches(CircuitGraph graph) {
        return Counted.of(graph.switches, "switch");
    }

    private static String names(CircuitGraph graph, BitSet set) {
        List<String> names = set.stream()
                .map(graph::pod)
                .distinct()
                .sorted()
                .mapToObj(Integer::toString)
                .toList();
        return Words.first(12, names);
    }
}
