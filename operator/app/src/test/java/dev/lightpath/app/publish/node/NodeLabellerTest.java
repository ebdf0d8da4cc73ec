package dev.lightpath.app.publish.node;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code topologyLabels} of a ring of eight, in stretches of four by {@code stretchPositions}, and of two pods at a
 * switch.
 */
class NodeLabellerTest {
    private static final String SCALE_UP = "lightpath.dev/topology-scale-up";
    private static final String STRETCH = "lightpath.dev/topology-stretch";
    private static final String SCALE_OUT = "lightpath.dev/topology-scale-out";
    private static final String POD = "lightpath.dev/topology-pod";
    private static final String FOREIGN = "example.com/zone";

    /** Nodes n0 to n7 and one of no fabric; takes writes as the API server does. */
    private static final class Nodes implements NodeStore {
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

    private final Nodes store = new Nodes();
    private Instant now = Scenes.NOW;
    private final NodePublisher publisher = new NodePublisher(store, () -> now);
    private Contact contact = Contact.SYNCED;
    private RingIntent ring = Scenes.ring(false);
    private SortedMap<String, String> unreadable = new TreeMap<>();
    private final List<Fault> ringFaults = new ArrayList<>();
    private final List<Fault> switchFaults = new ArrayList<>();
    private final List<String> devices = new ArrayList<>(List.of("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"));

    private int tell() {
        return publisher.tell(outcome());
    }

    private Outcome outcome() {
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

    private static FabricVerdict verdict(List<Fault> faults) {
        return Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), faults, List.of(), "", false, false);
    }

    private static final OcsIntent SPINE = OcsIntent.plain(
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

    private static OcsPod pod(String name, int index, String... nodes) {
        SortedMap<String, List<Signal>> of = new TreeMap<>();
        for (String node : nodes) {
            of.put(node, List.of());
        }
        return new OcsPod(name, index, 8, 4, of, true);
    }

    private static Fault fault(Subject subject) {
        return new Fault(subject, "NodeNotReady", Scenes.NOW, false, "");
    }

    private void ringAsks() {
        store.asked.put("ring-a", new TopologyLabels(4));
    }

    private List<String> labelled() {
        return store.writes.stream().filter(write -> write.startsWith("labels")).toList();
    }

    @Test
    void nobodyAsksAndNoNodeIsLabelled() {
        tell();
        assertThat(labelled()).isEmpty();
    }

    @Test
    void nodesThatTakePartHaveTheirFabricAndTheirStretchAndAtRestNothingIsWritten() {
        ringAsks();
        assertThat(tell()).isZero();
        assertThat(store.labels("n3")).isEqualTo(Map.of(FOREIGN, "a", SCALE_UP, "ring-a", STRETCH, "0-3"));
        assertThat(store.labels("n4")).isEqualTo(Map.of(FOREIGN, "a", SCALE_UP, "ring-a", STRETCH, "4-7"));
        assertThat(store.labels("stranger")).isEqualTo(Map.of(FOREIGN, "b"));
        store.writes.clear();
        tell();
        new NodePublisher(store, () -> now).tell(outcome());
        assertThat(store.writes).isEmpty();
    }

    /** As a request does that a process began which led before, and which arrives after all that the next one wrote. */
    @Test
    void whatIsWrittenOverItsLabelsIsPutRight() {
        ringAsks();
        tell();
        store.writes.clear();
        for (String node : List.of("n3", "stranger")) {
            Node before = store.real.get(node);
            Map<String, String> late = new HashMap<>(store.labels(node));
            late.put(STRETCH, "4-7");
            store.make(node, late);
            publisher.shown(before, store.real.get(node));
        }
        assertThat(publisher.isOther()).isTrue();
        assertThat(tell()).isZero();
        assertThat(store.labels("n3")).isEqualTo(Map.of(FOREIGN, "a", SCALE_UP, "ring-a", STRETCH, "0-3"));
        assertThat(store.labels("stranger")).isEqualTo(Map.of(FOREIGN, "b"));
        assertThat(labelled()).containsExactlyInAnyOrder("labels of n3", "labels of stranger");
        for (String node : List.of("n3", "stranger")) {
            Node bare = new NodeBuilder(store.real.get(node))
                    .editMetadata()
                    .withLabels(Map.of(STRETCH, "4-7"))
                    .endMetadata()
                    .build();
            publisher.shown(bare, store.real.get(node));
        }
        assertThat(publisher.isOther()).as("its own words come by the watch").isFalse();
    }

    @Test
    void aNodeThatLeftAFabricOfOthersLosesItsLabels() {
        ringAsks();
        tell();
        store.make("left", Map.of(FOREIGN, "c", SCALE_UP, "ring-b"));
        tell();
        assertThat(store.labels("left")).as("nobody said that a node came").containsKey(SCALE_UP);
        store.description++;
        tell();
        assertThat(store.labels("left")).isEqualTo(Map.of(FOREIGN, "c"));
    }

    @Test
    void withoutAStretchTheLabelOfTheFabricIsAll() {
        store.asked.put("ring-a", new TopologyLabels(null));
        tell();
        assertThat(store.labels("n3")).isEqualTo(Map.of(FOREIGN, "a", SCALE_UP, "ring-a"));
    }

    @Test
    void labelsComeAfterTheConditionsAndGoBeforeThem() {
        ringAsks();
        tell();
        assertThat(store.writes.indexOf("labels of n0")).isGreaterThan(store.writes.lastIndexOf("conditions of n7"));
        store.writes.clear();
        ringFaults.add(fault(new Subject.OfNode("n5")));
        tell();
        assertThat(store.writes).containsExactly("labels of n5", "conditions of n5");
        assertThat(store.labels("n5")).isEqualTo(Map.of(FOREIGN, "a"));
        store.writes.clear();
        ringFaults.clear();
        tell();
        assertThat(store.writes).containsExactly("conditions of n5", "labels of n5");
        assertThat(store.labels("n5")).containsEntry(STRETCH, "4-7");
    }

    @Test
    void aDeviceThatFailsTakesTheLabelsOfItsNodeAndAPortDoesNot() {
        ringAsks();
        ringFaults.add(fault(new Subject.OfDevice("n1")));
        ringFaults.add(fault(new Subject.OfPort("n2", "b0.path1")));
        tell();
        assertThat(store.labels("n1")).doesNotContainKeys(SCALE_UP, STRETCH);
        assertThat(store.labels("n2")).containsEntry(SCALE_UP, "ring-a");
    }

    @Test
    void aNodeWhoseDeviceIsNotThereYetIsLabelledOnceItIs() {
        ringAsks();
        devices.remove("n6");
        tell();
        assertThat(store.labels("n6")).doesNotContainKey(SCALE_UP);
        devices.add("n6");
        tell();
        assertThat(store.labels("n6")).containsEntry(SCALE_UP, "ring-a");
    }

    @Test
    void whileTheDriverIsAwayLabelsAreLeftAsTheyAre() {
        ringAsks();
        contact = Contact.UNREACHABLE;
        tell();
        assertThat(labelled()).isEmpty();
        contact = Contact.SYNCED;
        tell();
        store.writes.clear();
        contact = Contact.UNREACHABLE;
        tell();
        assertThat(labelled()).isEmpty();
        ringFaults.add(fault(new Subject.OfNode("n5")));
        tell();
        assertThat(labelled()).as("Kubernetes tells of the node").containsExactly("labels of n5");
    }

    @Test
    void aNodeThatLeavesOrMovesIsLabelledSo() {
        ringAsks();
        tell();
        store.writes.clear();
        SortedMap<Integer, RingNode> nodes = new TreeMap<>(ring.nodes());
        nodes.remove(7);
        nodes.put(7, new RingNode("n0", 7, List.of(), true, false));
        nodes.remove(0);
        ring = with(nodes, new TreeMap<>(), false);
        tell();
        assertThat(store.labels("n7")).isEqualTo(Map.of(FOREIGN, "a"));
        assertThat(store.labels("n0")).containsEntry(STRETCH, "4-7");
        assertThat(labelled()).containsExactlyInAnyOrder("labels of n7", "labels of n0");
    }

    @Test
    void whoClaimsThePositionOfAnotherLosesThem() {
        ringAsks();
        tell();
        SortedMap<Integer, RingNode> nodes = new TreeMap<>(ring.nodes());
        nodes.remove(1);
        nodes.remove(2);
        ring = with(nodes, new TreeMap<>(Map.of(1, List.of("n1", "n2"))), false);
        tell();
        assertThat(store.labels("n1")).doesNotContainKeys(SCALE_UP, STRETCH);
        assertThat(store.labels("n2")).doesNotContainKeys(SCALE_UP, STRETCH);
    }

    @Test
    void theyGoWithTheOptionAndWithTheFabricAndNothingElseGoes() {
        ringAsks();
        tell();
        store.asked.clear();
        tell();
        assertThat(store.real.keySet())
                .allSatisfy(node -> assertThat(store.labels(node)).containsOnlyKeys(FOREIGN));
        ringAsks();
        tell();
        assertThat(store.labels("n0")).containsKey(SCALE_UP);
        ring = with(ring.nodes(), new TreeMap<>(), true);
        tell();
        assertThat(store.labels("n0")).containsOnlyKeys(FOREIGN);
    }

    @Test
    void whileAFabricCannotBeReadNothingIsTakenFromNodesThatMayBeIts() {
        ringAsks();
        tell();
        store.asked.clear();
        unreadable = new TreeMap<>(Map.of("ring-b", "spec.ocsTrx: missing"));
        tell();
        assertThat(store.labels("n0")).containsKey(SCALE_UP);
        unreadable = new TreeMap<>();
        tell();
        assertThat(store.labels("n0")).doesNotContainKey(SCALE_UP);
    }

    @Test
    void nodesAtSwitchesHaveTheirPodBesideTheLabelsOfTheirRing() {
        store.asked.put("spine", new TopologyLabels(null));
        ringAsks();
        switchFaults.add(fault(new Subject.OfNode("n1")));
        tell();
        assertThat(store.labels("n0"))
                .isEqualTo(Map.of(FOREIGN, "a", SCALE_UP, "ring-a", STRETCH, "0-3", SCALE_OUT, "spine", POD, "pod-0"));
        assertThat(store.labels("n1")).doesNotContainKeys(SCALE_OUT, POD).containsKey(SCALE_UP);
        assertThat(store.labels("n2")).containsEntry(POD, "pod-1");
        assertThat(store.labels("n3")).doesNotContainKeys(SCALE_OUT, POD);
        switchFaults.add(fault(new Subject.OfDevice("pod-1")));
        store.asked.remove("ring-a");
        tell();
        assertThat(store.labels("n2")).containsOnlyKeys(FOREIGN);
        assertThat(store.labels("n0")).containsOnlyKeys(FOREIGN, SCALE_OUT, POD);
    }

    @Test
    void whatTheWatchDoesNotShowYetIsNotWrittenAgain() {
        ringAsks();
        store.shown = store.nodes();
        tell();
        assertThat(labelled()).hasSize(8);
        ringFaults.add(fault(new Subject.OfPort("n2", "b0.path1")));
        tell();
        assertThat(labelled()).hasSize(8);
    }

    @Test
    void whatIsWrittenIsTakenBackAndGivenBackWhileTheWatchDoesNotShowIt() {
        ringAsks();
        store.shown = store.nodes();
        tell();
        ringFaults.add(fault(new Subject.OfNode("n5")));
        tell();
        assertThat(store.labels("n5")).containsOnlyKeys(FOREIGN);
        store.writes.clear();
        ringFaults.add(fault(new Subject.OfPort("n2", "b0.path1")));
        tell();
        assertThat(labelled()).isEmpty();
        ringFaults.clear();
        tell();
        assertThat(store.labels("n5")).containsEntry(SCALE_UP, "ring-a").containsEntry(STRETCH, "4-7");
        assertThat(labelled()).containsExactly("labels of n5");
    }

    @Test
    void whatIsWrittenIsTakenBackAlthoughTheWatchShowsWhatCameBefore() {
        ringAsks();
        store.shown = store.nodes();
        tell();
        store.shown = store.shown.stream()
                .map(node -> new NodeBuilder(node)
                        .editMetadata()
                        .withResourceVersion("another write, before that of the labels")
                        .endMetadata()
                        .build())
                .toList();
        ringFaults.add(fault(new Subject.OfNode("n5")));
        tell();
        assertThat(store.labels("n5")).containsOnlyKeys(FOREIGN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"labels of n7", "conditions of n0", "labels of n0"})
    void whoseLeadershipEndedWritesNothingMore(String last) throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            NodePublisher former = new NodePublisher(store, () -> now, thread, time -> {}, 0);
            oneNodeLosesItsLabelsAndAfter(last, former::ended);
            former.publish(outcome());
            thread.submit(() -> {}).get(60, TimeUnit.SECONDS);
        } finally {
            thread.shutdownNow();
        }
        assertThat(store.writes).endsWith(last);
    }

    @ParameterizedTest
    @ValueSource(strings = {"labels of n7", "conditions of n0", "labels of n0"})
    void whoIsStoppedWritesNothingMore(String last) throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            NodePublisher stopped = new NodePublisher(store, () -> now, thread, time -> {}, 0);
            oneNodeLosesItsLabelsAndAfter(last, stopped::close);
            stopped.publish(outcome());
            assertThat(thread.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            thread.shutdownNow();
        }
        assertThat(store.writes).endsWith(last);
    }

    private void oneNodeLosesItsLabelsAndAfter(String write, Runnable then) {
        ringAsks();
        store.make("n7", Map.of(SCALE_UP, "ring-a"));
        ringFaults.add(fault(new Subject.OfNode("n7")));
        store.written = () -> {
            if (store.writes.getLast().equals(write)) {
                then.run();
            }
        };
    }

    @Test
    void theBadConditionOfANodeWaitsForItsOwnLabelsOnly() {
        ringAsks();
        tell();
        store.writes.clear();
        store.asked.put("ring-a", new TopologyLabels(null));
        ringFaults.add(fault(new Subject.OfNode("n5")));
        ringFaults.add(fault(new Subject.OfNode("n6")));
        tell();
        assertThat(store.writes)
                .startsWith("labels of n5", "conditions of n5", "labels of n6", "conditions of n6", "labels of n0")
                .hasSize(10);
    }

    @Test
    void aDeviceThatStaysAwayDoesNotHaveAllNodesGoneThroughAgain() {
        ringAsks();
        devices.remove("n6");
        tell();
        int looks = store.looks;
        tell();
        assertThat(store.looks).isEqualTo(looks);
        devices.add("n6");
        tell();
        assertThat(store.labels("n6")).containsEntry(SCALE_UP, "ring-a");
    }

    @Test
    void whatSomebodyTookAwayIsThereAgainAfterTheNextChange() {
        ringAsks();
        tell();
        store.make("n3", Map.of());
        ringFaults.add(fault(new Subject.OfPort("n2", "b0.path1")));
        tell();
        assertThat(store.labels("n3")).containsEntry(STRETCH, "0-3");
    }

    @Test
    void anInstallationThatForbidsItIsAskedOnceAMinuteAndConditionsAreWrittenAllTheSame() {
        ringAsks();
        store.forbidden = true;
        assertThat(tell()).isPositive();
        assertThat(labelled()).hasSize(1);
        assertThat(store.writes).contains("conditions of n0", "conditions of n7");
        assertThat(tell()).isPositive();
        assertThat(labelled()).hasSize(1);
        now = now.plusSeconds(61);
        store.forbidden = false;
        assertThat(tell()).isZero();
        assertThat(store.labels("n7")).containsEntry(SCALE_UP, "ring-a");
    }

    private RingIntent with(
            SortedMap<Integer, RingNode> nodes, SortedMap<Integer, List<String>> miswired, boolean retiring) {
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
