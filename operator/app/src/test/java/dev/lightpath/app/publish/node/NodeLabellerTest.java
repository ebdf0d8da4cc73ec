package dev.lightpath.app.publish.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.TopologyLabels;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.world.RingNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which labels nodes have. */
class NodeLabellerTest extends LabelTrial {
    @Test
    void nobodyAsksAndNoNodeIsLabelled() {
        tell();
        assertThat(labelled()).isEmpty();
    }

    /** In stretches of four, as {@code stretchPositions} says. */
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
}
