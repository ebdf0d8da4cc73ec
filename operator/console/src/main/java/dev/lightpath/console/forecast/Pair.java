package dev.lightpath.console.forecast;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many circuits join two pods. Of two-sided switches each direction is a circuit of its own: what both ways have
 * counts.
 */
public record Pair(String from, String to, int circuits) {
    /** By name. O(circuits log pairs). */
    public static List<Pair> of(OcsWiring wiring, SwitchedLight light) {
        Map<List<String>, int[]> ways =
                new TreeMap<>((a, b) -> (a.getFirst() + " " + a.getLast()).compareTo(b.getFirst() + " " + b.getLast()));
        light.forEach((name, circuit) -> wiring.ends(name, circuit).ifPresent(ends -> {
            boolean ordered = ends.from().compareTo(ends.to()) <= 0;
            List<String> pair = ordered ? List.of(ends.from(), ends.to()) : List.of(ends.to(), ends.from());
            int[] counts = ways.computeIfAbsent(pair, of -> new int[2]);
            boolean duplex = wiring.kind(name) == DeviceKind.ANY_TO_ANY;
            counts[0] += duplex || ordered ? 1 : 0;
            counts[1] += duplex || !ordered ? 1 : 0;
        }));
        List<Pair> pairs = new ArrayList<>();
        ways.forEach(
                (pair, counts) -> pairs.add(new Pair(pair.getFirst(), pair.getLast(), Math.min(counts[0], counts[1]))));
        return pairs;
    }
}
