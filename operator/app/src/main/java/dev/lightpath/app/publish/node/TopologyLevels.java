package dev.lightpath.app.publish.node;

import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_POD;
import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_SCALE_OUT;
import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_SCALE_UP;
import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_STRETCH;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.crds.fabric.TopologyLabels;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The labels of Nodes for schedulers that place pods by topology, where fabrics ask for them. A node has those of a
 * fabric while it takes part in it: it sits in its place, its device answers, and neither has a fault.
 */
final class TopologyLevels {
    private static final Set<String> OF_TRANSCEIVERS = Set.of(TOPOLOGY_SCALE_UP, TOPOLOGY_STRETCH);
    private static final Set<String> OF_SWITCHES = Set.of(TOPOLOGY_SCALE_OUT, TOPOLOGY_POD);

    private static final List<String> KEYS =
            List.of(TOPOLOGY_POD, TOPOLOGY_SCALE_OUT, TOPOLOGY_SCALE_UP, TOPOLOGY_STRETCH);

    /** Of one node: each key holds with a value, or does not hold (empty), or is left as it is. */
    private static final class OfNode {
        final Map<String, Optional<String>> known = new HashMap<>();
        final Set<String> left = new HashSet<>();
    }

    private final Map<String, OfNode> nodes = new HashMap<>();
    private final World world;
    /** False while some fabric cannot be read: nodes that no fabric names may be its. */
    private final boolean complete;

    private final List<DeviceId> awaited = new ArrayList<>();

    private TopologyLevels(World world) {
        this.world = world;
        this.complete = world.unreadable().fabrics().isEmpty();
    }

    /**
     * Linear in the nodes of the fabrics that ask.
     *
     * @param asked by name of the fabric
     */
    static TopologyLevels of(Outcome outcome, Map<String, TopologyLabels> asked) {
        TopologyLevels levels = new TopologyLevels(outcome.world());
        asked.forEach((fabric, labels) -> {
            @Nullable FabricVerdict verdict = outcome.deliberation().fabrics().get(fabric);
            @Nullable RingIntent ring = outcome.world().rings().get(fabric);
            @Nullable OcsIntent ocs = outcome.world().ocsFabrics().get(fabric);
            if (ring != null && !ring.retiring()) {
                levels.ring(ring, labels, Optional.ofNullable(verdict));
            } else if (ocs != null && !ocs.retiring()) {
                levels.switches(ocs, Optional.ofNullable(verdict));
            }
        });
        return levels;
    }

    private void ring(RingIntent ring, TopologyLabels asked, Optional<FabricVerdict> verdict) {
        ring.miswired().values().forEach(names -> names.forEach(node -> none(node, OF_TRANSCEIVERS)));
        ring.astray().keySet().forEach(node -> none(node, OF_TRANSCEIVERS));
        Set<String> faulty = faulty(verdict);
        boolean synced = verdict.isPresent() && world.driver(ring.driver()).synced();
        Map<String, DeviceState> devices = world.driver(ring.driver()).devices();
        for (RingNode node : ring.nodes().values()) {
            @Nullable DeviceState device = devices.get(node.name());
            if (faulty.contains(node.name())) {
                none(node.name(), OF_TRANSCEIVERS);
            } else if (synced && device != null && device.present()) {
                has(node.name(), TOPOLOGY_SCALE_UP, Optional.of(ring.name()));
                has(
                        node.name(),
                        TOPOLOGY_STRETCH,
                        Optional.ofNullable(asked.stretchPositions()).map(length -> stretch(node.position(), length)));
            } else {
                // it is no fault yet, and nothing that a label may be added for
                leave(node.name(), OF_TRANSCEIVERS);
                if (synced) {
                    awaited.add(new DeviceId(ring.driver(), node.name()));
                }
            }
        }
    }

    private void switches(OcsIntent fabric, Optional<FabricVerdict> verdict) {
        Set<String> faulty = faulty(verdict);
        boolean synced = verdict.isPresent()
                && fabric.drivers().stream()
                        .allMatch(driver -> world.driver(driver).synced());
        for (OcsPod pod : fabric.pods()) {
            for (String node : pod.nodes().keySet()) {
                if (faulty.contains(node) || faulty.contains(pod.name())) {
                    none(node, OF_SWITCHES);
                } else if (synced) {
                    has(node, TOPOLOGY_SCALE_OUT, Optional.of(fabric.name()));
                    has(node, TOPOLOGY_POD, Optional.of(pod.name()));
                } else {
                    leave(node, OF_SWITCHES);
                }
            }
        }
    }

    /** Names of nodes and devices with faults. */
    private static Set<String> faulty(Optional<FabricVerdict> verdict) {
        Set<String> faulty = new HashSet<>();
        for (Fault fault : verdict.map(FabricVerdict::faults).orElse(List.of())) {
            switch (fault.subject()) {
                case Subject.OfNode node -> faulty.add(node.node());
                case Subject.OfDevice device -> faulty.add(device.device());
                case Subject.OfPort port -> {}
            }
        }
        return faulty;
    }

    private void none(String node, Set<String> keys) {
        keys.forEach(key -> has(node, key, Optional.empty()));
    }

    private void has(String node, String key, Optional<String> value) {
        of(node).known.put(key, value);
    }

    private void leave(String node, Set<String> keys) {
        of(node).left.addAll(keys);
    }

    private OfNode of(String node) {
        return nodes.computeIfAbsent(node, any -> new OfNode());
    }

    /**
     * The same length for all, so that no name changes when the fibre grows.
     *
     * @param length in positions
     */
    static String stretch(int position, int length) {
        int first = position / length * length;
        return first + "-" + (first + length - 1);
    }

    /**
     * Devices of drivers that are there, which are not: labels wait for them, and for nothing else that only devices
     * tell.
     */
    List<DeviceId> awaited() {
        return List.copyOf(awaited);
    }

    /**
     * What to change of the labels of a node, empty where one goes.
     *
     * @param present all its labels
     */
    SortedMap<String, Optional<String>> changes(String node, Map<String, String> present) {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        OfNode of = nodes.getOrDefault(node, new OfNode());
        for (String key : KEYS) {
            if (of.left.contains(key) || !complete && !of.known.containsKey(key)) {
                continue;
            }
            Optional<String> wanted = of.known.getOrDefault(key, Optional.empty());
            if (!wanted.equals(Optional.ofNullable(present.get(key)))) {
                changes.put(key, wanted);
            }
        }
        return changes;
    }
}
