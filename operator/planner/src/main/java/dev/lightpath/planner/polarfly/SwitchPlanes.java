package dev.lightpath.planner.polarfly;

import dev.lightpath.planner.stripe.DeviceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A PolarFly's edges on optical switches: each edge once, as a duplex circuit. */
public final class SwitchPlanes {
    private SwitchPlanes() {}

    /**
     * Planes for switches that face every vertex: q + 1 any-to-any ones, or half as many (rounded up) two-sided ones
     * with one port of a vertex on each side. Two Singer planes together are paths and cycles. Followed in one
     * direction, they give every vertex at most one circuit on each side. So the two-sided planes are as few as
     * {@link EulerPlanes} finds for any graph. O(edges).
     *
     * @return circuits of each plane as pairs of vertices; on two-sided devices the first is the ingress side
     */
    public static List<List<int[]>> full(PolarFly polarFly, DeviceKind device) {
        List<List<int[]>> singer = SingerPlanes.of(polarFly);
        return switch (device) {
            case ANY_TO_ANY -> singer;
            case TWO_SIDED -> {
                List<List<int[]>> planes = new ArrayList<>();
                for (int i = 0; i < singer.size(); i += 2) {
                    planes.add(oriented(
                            polarFly.vertices(), singer.get(i), i + 1 < singer.size() ? singer.get(i + 1) : List.of()));
                }
                yield planes;
            }
        };
    }

    /**
     * Planes for devices with fewer ports than vertices: the planes are cut into pieces of at most {@code radix}
     * circuits. Two-sided devices have radix x radix ports. Any-to-any devices have radix ports, and half as many
     * circuits. No vertex is twice on one side of a device.
     *
     * @throws IllegalArgumentException if the radix holds no circuit
     */
    public static List<List<int[]>> ofRadix(PolarFly polarFly, DeviceKind device, int radix) {
        int least = device == DeviceKind.TWO_SIDED ? 1 : 2;
        if (radix < least) {
            throw new IllegalArgumentException("radix is " + radix + ": at least " + least);
        }
        List<List<int[]>> planes = full(polarFly, device);
        int capacity = device == DeviceKind.TWO_SIDED ? radix : radix / 2;
        if (planes.stream().allMatch(plane -> plane.size() <= capacity)) {
            return planes;
        }
        List<int[]> left = new ArrayList<>();
        planes.forEach(left::addAll);
        List<List<int[]>> devices = new ArrayList<>();
        while (!left.isEmpty()) {
            List<int[]> piece = new ArrayList<>();
            List<int[]> later = new ArrayList<>();
            Set<Integer> first = new HashSet<>();
            Set<Integer> second = device == DeviceKind.TWO_SIDED ? new HashSet<>() : first;
            for (int i = 0; i < left.size(); i++) {
                int[] circuit = left.get(i);
                if (piece.size() == capacity) {
                    later.addAll(left.subList(i, left.size()));
                    break;
                }
                if (first.contains(circuit[0]) || second.contains(circuit[1])) {
                    later.add(circuit);
                } else {
                    first.add(circuit[0]);
                    second.add(circuit[1]);
                    piece.add(circuit);
                }
            }
            devices.add(piece);
            left = later;
        }
        return devices;
    }

    /**
     * The planes of a grown PolarFly. The old planes keep all their circuits. A new circuit takes free ports there if
     * both ends have one. The rest goes on further planes; two-sided ones, with a port of a vertex on each side, need
     * as few as {@link EulerPlanes} finds. Nothing moves. O(new edges * planes).
     */
    public static List<List<int[]>> grow(List<List<int[]>> planes, Expansion expansion, DeviceKind device) {
        List<List<int[]>> grown = new ArrayList<>();
        List<Set<Integer>> ingress = new ArrayList<>();
        List<Set<Integer>> egress = new ArrayList<>();
        for (List<int[]> plane : planes) {
            grown.add(new ArrayList<>(plane));
            Set<Integer> in = new HashSet<>();
            Set<Integer> out = device == DeviceKind.TWO_SIDED ? new HashSet<>() : in;
            plane.forEach(circuit -> {
                in.add(circuit[0]);
                out.add(circuit[1]);
            });
            ingress.add(in);
            egress.add(out);
        }
        List<int[]> further = new ArrayList<>();
        for (int[] edge : expansion.newEdges()) {
            int[] turned = {edge[1], edge[0]};
            int plane = 0;
            while (plane < grown.size()
                    && !fits(ingress.get(plane), egress.get(plane), edge)
                    && !fits(ingress.get(plane), egress.get(plane), turned)) {
                plane++;
            }
            if (plane == grown.size()) {
                if (device == DeviceKind.TWO_SIDED) {
                    further.add(edge);
                    continue;
                }
                grown.add(new ArrayList<>());
                ingress.add(new HashSet<>());
                egress.add(ingress.getLast());
            }
            int[] circuit = fits(ingress.get(plane), egress.get(plane), edge) ? edge : turned;
            grown.get(plane).add(circuit);
            ingress.get(plane).add(circuit[0]);
            egress.get(plane).add(circuit[1]);
        }
        if (!further.isEmpty()) {
            grown.addAll(EulerPlanes.of(expansion.graph().vertices(), further));
        }
        return grown;
    }

    private static boolean fits(Set<Integer> ingress, Set<Integer> egress, int[] circuit) {
        return !ingress.contains(circuit[0]) && !egress.contains(circuit[1]);
    }

    private static List<int[]> oriented(int vertices, List<int[]> one, List<int[]> other) {
        int[][] next = new int[2][vertices];
        Arrays.fill(next[0], -1);
        Arrays.fill(next[1], -1);
        one.forEach(e -> join(next[0], e));
        other.forEach(e -> join(next[1], e));
        List<int[]> circuits = new ArrayList<>();
        boolean[] visited = new boolean[vertices];
        Map<Integer, Integer> starts = new TreeMap<>();
        for (int v = 0; v < vertices; v++) {
            if (next[0][v] < 0 || next[1][v] < 0) {
                starts.put(v, next[0][v] < 0 ? 1 : 0);
            }
        }
        starts.forEach((v, plane) -> walk(v, plane, next, visited, circuits));
        for (int v = 0; v < vertices; v++) {
            walk(v, 0, next, visited, circuits);
        }
        circuits.sort(Arrays::compare);
        return circuits;
    }

    private static void join(int[] next, int[] edge) {
        next[edge[0]] = edge[1];
        next[edge[1]] = edge[0];
    }

    private static void walk(int start, int first, int[][] next, boolean[] visited, List<int[]> circuits) {
        int v = start;
        int plane = first;
        while (!visited[v]) {
            visited[v] = true;
            int w = next[plane][v];
            if (w < 0) {
                return;
            }
            if (visited[w] && w != start) {
                return;
            }
            circuits.add(new int[] {v, w});
            v = w;
            plane = 1 - plane;
        }
    }
}
