package dev.lightpath.app.publish.node;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.TopologyLabels;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes under {@code topologyLabels} of a ring of eight, in stretches of four by {@code stretchPositions}, and of two
 * pods at a switch.
 */
abstract class LabelTrial {
    static final String SCALE_UP = "lightpath.dev/topology-scale-up";
    static final String STRETCH = "lightpath.dev/topology-stretch";
    static final String SCALE_OUT = "lightpath.dev/topology-scale-out";
    static final String POD = "lightpath.dev/topology-pod";
    static final String FOREIGN = "example.com/zone";

    /** Nodes n0 to n7 and one of no fabric; takes writes as the API server does. */
    static final class Nodes implements NodeStore {
        final SortedMap<String, Node> real = new TreeMap<>();
        final List<String> writes = new ArrayList<>();
        final Map<String, TopologyLabels> asked = new HashMap<>();
        /** What a watch shows that lags behind; null: what is there. */
        @Nullable
        List<Node> shown;

        boolean forbidden;
        int version = 1;
        int looks;
        long description;
        /** After each write. */
        Runnable written = () -> {};

        Nodes() {
            for (int node = 0; node < 8; node++) {
                make("n" + node, Map.of(FOREIGN, "a"));
            }
            make("stranger", Map.of(FOREIGN, "b"));
        }

        void make(String name, Map<String, String> labels) {
            real.put(
                    name,
                    new NodeBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withUid("uid-" + name)
                            .withResourceVersion(Integer.toString(version++))
                            .withLabels(labels)
                            .endMetadata()
                            .withNewStatus()
                            .endStatus()
                            .build());
        }

        @Override
        public List<Node> nodes() {
            looks++;
            return shown == null ? List.copyOf(real.values()) : shown;
        }

        @Override
        public long description() {
            return description;
        }

        @Override
        public boolean isOurs(Node node) {
            return true;
        }

        @Override
        public List<OpticalFabric> fabrics() {
            return List.of("ring-a", "spine").stream()
                    .map(name -> {
                        OpticalFabric fabric = new OpticalFabric();
                        fabric.setMetadata(
                                new ObjectMetaBuilder().withName(name).build());
                        fabric.setSpec(
                                new OpticalFabricSpec(null, null, null, null, null, null, asked.get(name), null));
                        return fabric;
                    })
                    .toList();
        }

        @Override
        public void listen(BiConsumer<Node, Node> changed) {}

        @Override
        public long write(Node node, List<NodeCondition> conditions) {
            String name = node.getMetadata().getName();
            writes.add("conditions of " + name);
            real.computeIfPresent(
                    name,
                    (any, is) -> new NodeBuilder(is)
                            .editMetadata()
                            .withResourceVersion(Integer.toString(version++))
                            .endMetadata()
                            .editStatus()
                            .withConditions(conditions)
                            .endStatus()
                            .build());
            written.run();
            return version - 1;
        }

        @Override
        public void label(Node node, Map<String, Optional<String>> labels) {
            String name = node.getMetadata().getName();
            writes.add("labels of " + name);
            if (forbidden) {
                throw new KubernetesClientException("the operator writes no label", 403, null);
            }
            Map<String, String> all = new HashMap<>(labels(name));
            labels.forEach((key, value) -> value.ifPresentOrElse(some -> all.put(key, some), () -> all.remove(key)));
            real.computeIfPresent(
                    name,
                    (any, is) -> new NodeBuilder(is)
                            .editMetadata()
                            .withResourceVersion(Integer.toString(version++))
                            .withLabels(all)
                            .endMetadata()
                            .build());
            written.run();
        }

        Map<String, String> labels(String name) {
            return Map.copyOf(real.get(name).getMetadata().getLabels());
        }
    }

    final Nodes store = new Nodes();
    Instant now = Scenes.NOW;
    final NodePublisher publisher = new NodePublisher(store, () -> now);
    Contact contact = Contact.SYNCED;
    RingIntent ring = Scenes.ring(false);
    SortedMap<String, String> unreadable = new TreeMap<>();
    final List<Fault> ringFaults = new ArrayList<>();
    final List<Fault> switchFaults = new ArrayList<>();
    final List<String> devices = new ArrayList<>(List.of("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"));

    int tell() {
        return publisher.tell(outcome());
    }

    Outcome outcome() {
        SortedMap<String, DeviceState> answering =
                new TreeMap<>(Scenes.driver(contact, "").devices());
        answering.keySet().retainAll(devices);
        World world = World.atRest(
                Scenes.NOW,
                new StageId(7, 1),
                new TreeMap<>(Map.of("ring-a", ring)),
                new TreeMap<>(Map.of("spine", SPINE)),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(Map.of(
                        Scenes.DRIVER,
                        new DriverState(contact, Optional.empty(), "toy", "1.2", 7, answering),
                        "spine:9440",
                        new DriverState(contact, Optional.empty(), "toy", "1.2", 7, new TreeMap<>()))));
        return new Outcome(
                Scenes.of(world, new TreeMap<>(Map.of("ring-a", ring)), unreadable),
                Scenes.deliberation(
                        new Decision.Rest(Optional.empty()),
                        new TreeMap<>(),
                        new TreeMap<>(Map.of("ring-a", verdict(ringFaults), "spine", verdict(switchFaults))),
                        Optional.empty()));
    }

    static FabricVerdict verdict(List<Fault> faults) {
        return Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), faults, List.of(), "", false, false);
    }

    static final OcsIntent SPINE = OcsIntent.plain(
            "spine",
            "cluster/spine",
            List.of(pod("pod-0", 0, "n0", "n1"), pod("pod-1", 1, "n2")),
            new TreeMap<>(Map.of(
                    "ocs-1",
                    new OcsSwitch(
                            "ocs-1",
                            new DeviceId("spine:9440", "device-1"),
                            DeviceKind.ANY_TO_ANY,
                            OptionalInt.of(0),
                            List.of(),
                            new TreeSet<>(),
                            false))),
            new OcsTopology.Logical());

    static OcsPod pod(String name, int index, String... nodes) {
        SortedMap<String, List<Signal>> of = new TreeMap<>();
        for (String node : nodes) {
            of.put(node, List.of());
        }
        return new OcsPod(name, index, 8, 4, of, true);
    }

    static Fault fault(Subject subject) {
        return new Fault(subject, "NodeNotReady", Scenes.NOW, false, "");
    }

    void ringAsks() {
        store.asked.put("ring-a", new TopologyLabels(4));
    }

    List<String> labelled() {
        return store.writes.stream().filter(write -> write.startsWith("labels")).toList();
    }

    RingIntent with(SortedMap<Integer, RingNode> nodes, SortedMap<Integer, List<String>> miswired, boolean retiring) {
        return new RingIntent(
                ring.name(),
                ring.ring(),
                ring.driver(),
                ring.role(),
                nodes,
                miswired,
                ring.policy(),
                false,
                Optional.empty(),
                retiring);
    }
}
