package dev.lightpath.console.report;

import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of fabrics beside a job: geometry and faults.
 *
 * @param rings geometry of those of transceivers
 * @param wirings how pods are wired to switches, of those of optical switches
 * @param faults by fabric and node, why
 */
public record Fabrics(
        Map<String, RingFabric> rings, Map<String, OcsWiring> wirings, Map<String, SortedMap<String, String>> faults) {

    public static Fabrics of(List<OpticalFabric> fabrics, List<OpticalSwitch> switches, List<Node> nodes) {
        Map<String, OcsWiring> wirings = new HashMap<>();
        Map<String, RingFabric> rings = new HashMap<>();
        Map<String, SortedMap<String, String>> faults = new HashMap<>();
        RingIntentReader reader = new RingIntentReader("");
        for (OpticalFabric fabric : fabrics) {
            String name = fabric.getMetadata().getName();
            ring(reader, fabric, nodes).ifPresent(ring -> rings.put(name, ring));
            PodCircuits.wiring(fabric, switches).ifPresent(wiring -> wirings.put(name, wiring));
            faults.put(name, faults(fabric));
        }
        return new Fabrics(rings, wirings, faults);
    }

    /** The faults of a fabric by node or switch, why. */
    public static SortedMap<String, String> faults(OpticalFabric fabric) {
        SortedMap<String, String> reasons = new TreeMap<>();
        for (FaultRecord fault : fabric.getStatus() == null
                ? List.<FaultRecord>of()
                : fabric.getStatus().faults()) {
            String[] parts = fault.subject().split("/", 3);
            if (parts.length > 1) {
                String what = parts.length == 3 ? parts[2] + " " + fault.told() : fault.told();
                reasons.merge(parts[1], what, (a, b) -> a + ", " + b);
            }
        }
        return reasons;
    }

    private static Optional<RingFabric> ring(RingIntentReader reader, OpticalFabric fabric, List<Node> nodes) {
        try {
            return reader.read(fabric, nodes, Map.of()).map(intent -> intent.ring());
        } catch (IllegalArgumentException impossible) {
            return Optional.empty(); // the fabric's own status says what is wrong with it
        }
    }

    /**
     * The bundles of each member as the groups ask for them, by position; none when the geometry does not allow them.
     */
    public Map<Integer, List<BundleState>> bundles(String fabric, List<List<Integer>> groups) {
        RingFabric ring = rings.get(fabric);
        return ring == null ? Map.of() : bundles(ring, groups);
    }

    /** The same on a ring. Linear in members. */
    public static Map<Integer, List<BundleState>> bundles(RingFabric ring, List<List<Integer>> groups) {
        if (!groups.stream().allMatch(group -> group.stream().allMatch(ring::contains))) {
            return Map.of();
        }
        Map<Integer, List<BundleState>> bundles = new HashMap<>();
        BundleDerivation light = BundleDerivation.derive(
                ring,
                groups.stream()
                        .filter(group -> !group.isEmpty())
                        .map(RingGroup::of)
                        .toList());
        groups.forEach(group ->
                group.forEach(position -> bundles.put(position, light.states().of(position))));
        return bundles;
    }

    /** Why a node counts as faulty on a fabric. */
    public Optional<String> fault(String fabric, String node) {
        return Optional.ofNullable(faults.getOrDefault(fabric, new TreeMap<>()).get(node));
    }
}
