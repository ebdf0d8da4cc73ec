package dev.lightpath.console.report;

import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The recorded circuits between two pods.
 *
 * @param there circuits that lead light from the first to the second
 * @param back those that lead it the other way; of any-to-any switches the same ones
 * @param circuits both ways, by switch
 */
public record PodPair(String from, String to, int there, int back, List<SwitchCircuits> circuits) {
    private static final class Count {
        private int there;
        private int back;
        private final SortedMap<String, List<String>> circuits = new TreeMap<>();
    }

    /**
     * In the order of the pods' names; circuits whose ports are wired to no pod are left out. O(circuits log pairs).
     */
    public static List<PodPair> of(OcsWiring wiring, List<SwitchCircuits> recorded) {
        Map<String, Integer> order = new TreeMap<>();
        wiring.pods().forEach((name, pod) -> order.put(name, pod.index()));
        SortedMap<Integer, SortedMap<Integer, Count>> counts = new TreeMap<>();
        SortedMap<Integer, String> names = new TreeMap<>();
        for (SwitchCircuits of : recorded) {
            for (String written : of.circuits()) {
                int dash = written.indexOf('-');
                if (dash < 0) {
                    continue;
                }
                Circuit circuit = new Circuit(written.substring(0, dash), written.substring(dash + 1));
                wiring.ends(of.opticalSwitch(), circuit).ifPresent(ends -> {
                    int from = order.getOrDefault(ends.from(), 0);
                    int to = order.getOrDefault(ends.to(), 0);
                    names.put(from, ends.from());
                    names.put(to, ends.to());
                    Count count = counts.computeIfAbsent(Math.min(from, to), pod -> new TreeMap<>())
                            .computeIfAbsent(Math.max(from, to), pod -> new Count());
                    boolean duplex = wiring.kind(of.opticalSwitch()) == DeviceKind.ANY_TO_ANY;
                    count.there += duplex || from <= to ? 1 : 0;
                    count.back += duplex || from > to ? 1 : 0;
                    count.circuits
                            .computeIfAbsent(of.opticalSwitch(), name -> new ArrayList<>())
                            .add(written);
                });
            }
        }
        List<PodPair> pairs = new ArrayList<>();
        counts.forEach((from, others) -> others.forEach((to, count) -> pairs.add(new PodPair(
                names.getOrDefault(from, ""),
                names.getOrDefault(to, ""),
                count.there,
                count.back,
                count.circuits.entrySet().stream()
                        .map(each -> new SwitchCircuits(each.getKey(), each.getValue()))
                        .toList()))));
        return pairs;
    }
}
