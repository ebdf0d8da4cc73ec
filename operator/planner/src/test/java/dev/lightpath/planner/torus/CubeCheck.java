package dev.lightpath.planner.torus;

import dev.lightpath.planner.stripe.Circuit;
import dev.lightpath.planner.stripe.SwitchCircuits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Judges the circuits of cube slices by rebuilding the chips' graph from them; shares no code with their making. */
public final class CubeCheck {
    private CubeCheck() {}

    /**
     * What is wrong with the circuits of one slice, one line each: a switch's map must be a bijection of exactly the
     * slice's cubes, and the chips' graph connected with six links each.
     */
    public static List<String> violations(List<SwitchCircuits> switches, Set<Integer> cubes) {
        List<String> wrong = new ArrayList<>();
        Map<Integer, Map<Integer, Integer>> maps = new TreeMap<>();
        for (SwitchCircuits of : switches) {
            Map<Integer, Integer> map = new TreeMap<>();
            for (Circuit circuit : of.circuits()) {
                if (map.put(circuit.from(), circuit.to()) != null) {
                    wrong.add("switch " + of.switchIndex() + " uses ingress " + circuit.from() + " twice");
                }
            }
            if (!map.keySet().equals(cubes) || !new HashSet<>(map.values()).equals(cubes)) {
                wrong.add("switch " + of.switchIndex() + " is no bijection of the slice's cubes " + cubes);
            }
            maps.put(of.switchIndex(), map);
        }
        if (!wrong.isEmpty()) {
            return wrong;
        }
        if (maps.size() != 48) {
            return List.of(maps.size() + " switches have circuits: 48");
        }
        int[] degree = new int[64 * (cubes.stream().mapToInt(c -> c).max().orElse(0) + 1)];
        int[] root = new int[degree.length];
        Arrays.setAll(root, v -> v);
        for (int cube : cubes) {
            for (int chip = 0; chip < 64; chip++) {
                int[] at = {chip & 3, chip >> 2 & 3, chip >> 4};
                for (int axis = 0; axis < 3; axis++) {
                    int[] to = at.clone();
                    int toCube = cube;
                    if (++to[axis] == 4) {
                        to[axis] = 0;
                        int r = at[axis == 0 ? 1 : 0];
                        int s = at[axis == 2 ? 1 : 2];
                        toCube = maps.getOrDefault(16 * axis + 4 * r + s, Map.of())
                                .getOrDefault(cube, -1);
                    }
                    if (toCube < 0) {
                        return List.of("chip " + chip + " of cube " + cube + " has no plus link along axis " + axis);
                    }
                    int a = 64 * cube + chip;
                    int b = 64 * toCube + to[0] + 4 * to[1] + 16 * to[2];
                    degree[a]++;
                    degree[b]++;
                    root[find(root, a)] = find(root, b);
                }
            }
        }
        int start = find(root, 64 * cubes.iterator().next());
        for (int cube : cubes) {
            for (int chip = 0; chip < 64; chip++) {
                if (degree[64 * cube + chip] != 6 || find(root, 64 * cube + chip) != start) {
                    wrong.add("chip " + chip + " of cube " + cube + " has " + degree[64 * cube + chip]
                            + " links or is cut off");
                }
            }
        }
        return wrong;
    }

    private static int find(int[] root, int v) {
        int node = v;
        while (root[node] != node) {
            root[node] = root[root[node]];
            node = root[node];
        }
        return node;
    }
}
