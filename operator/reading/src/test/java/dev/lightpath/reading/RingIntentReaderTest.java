package dev.lightpath.reading;

import static dev.lightpath.reading.Cases.GPU;
import static dev.lightpath.reading.Cases.node;
import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;

final class RingIntentReaderTest {
    private static final String RING = """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata:
              name: ring-a
              annotations: {lightpath.dev/resume-after-mass-failure: "2026-01-02T03:04:05Z"}
            spec:
              ocsTrx:
                shape: Ring
                reach: 3
                gpusPerNode: 4
                positions: 8
                nodesPerTor: 2
                nodeSelector: {matchLabels: {ring: a}}
                driver: {endpoint: "driver:9440"}
              adopt: Reset
              policy: {foreignCircuits: Remove, faults: {holdMillis: 300, nodeConditions: [GpuMemWatch]}}
            """;

    private final RingIntentReader reader = new RingIntentReader("uid-1");

    private RingIntent read(Node... nodes) {
        return reader.read(yaml(OpticalFabric.class, RING), List.of(nodes), Map.of())
                .orElseThrow();
    }

    private static List<String> reasons(RingNode node) {
        return node.signals().stream().map(Signal::reason).toList();
    }

    @Test
    void readsWhatAPersonAcceptedAndWhatWasToldOfTheRecords() {
        OpticalFabric fabric = yaml(OpticalFabric.class, RING);
        assertThat(read().policy().lineage()).isEqualTo(Lineage.NONE);
        fabric.getMetadata()
                .setAnnotations(
                        Map.of("lightpath.dev/accepted-epoch", "7", "lightpath.dev/accepted-revision", "no number"));
        fabric.setStatus(yaml(OpticalFabric.class, RING + "status: {ledger: {revision: 40, digest: abc, newer: 41}}")
                .getStatus());
        assertThat(reader.read(fabric, List.of(), Map.of())
                        .orElseThrow()
                        .policy()
                        .lineage())
                .isEqualTo(new Lineage(40, "abc", 41, 7, 0));
    }

    @Test
    void readsGeometryRoleAndPolicy() {
        RingIntent intent = read(node("n0", 0).build());

        assertThat(intent.role()).isEqualTo("uid-1/ring-a");
        assertThat(intent.driver()).isEqualTo("driver:9440");
        assertThat(intent.ring().shape()).isEqualTo(RingShape.RING);
        assertThat(intent.ring().positions()).isEqualTo(8);
        assertThat(intent.ring().nodesPerTor()).isEqualTo(2);
        assertThat(intent.ring().nodesPerAggregation()).isEqualTo(8);
        assertThat(intent.policy().hold()).isEqualTo(Duration.ofMillis(300));
        assertThat(intent.policy().foreignCircuits()).isEqualTo(FabricPolicy.ForeignCircuits.REMOVE);
        assertThat(intent.policy().adopt()).contains(FabricPolicy.Adoption.RESET);
        assertThat(intent.resumedAt()).contains(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(intent.nodes()).containsOnlyKeys(0);
        assertThat(intent.nodes().get(0)).isEqualTo(new RingNode("n0", 0, List.of(), true, false));
    }

    @Test
    void takesNobodyWhereTwoClaimAPosition() {
        RingIntent intent = read(
                node("n1", 1).build(),
                node("twin-b", 2).build(),
                node("twin-a", 2).build());

        assertThat(intent.nodes()).containsOnlyKeys(1);
        assertThat(intent.miswired()).isEqualTo(Map.of(2, List.of("twin-a", "twin-b")));
    }

    @Test
    void leavesOutNodesThatAreNotSelectedOrHaveNoPosition() {
        Node other = node("other", 3)
                .editMetadata()
                .addToLabels("ring", "b")
                .endMetadata()
                .build();
        Node unlabelled = node("bare", 4)
                .editMetadata()
                .addToLabels("lightpath.dev/ring-position", "four")
                .endMetadata()
                .build();

        assertThat(read(other, unlabelled, node("far", 8).build()).nodes()).isEmpty();
    }

    @Test
    void seesWhatKubernetesDetectorsAndPeopleSay() {
        Node tainted = node("tainted", 1)
                .editSpec()
                .addNewTaint()
                .withKey("node.kubernetes.io/unreachable")
                .withEffect("NoExecute")
                .endTaint()
                .endSpec()
                .build();
        Node watched = node("watched", 2)
                .editStatus()
                .addNewCondition()
                .withType("GpuMemWatch")
                .withStatus("True")
                .endCondition()
                .addNewCondition()
                .withType("NVSwitchDown")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        Node declared = node("declared", 3)
                .editMetadata()
                .addToAnnotations("lightpath.dev/faulty", "smells")
                .endMetadata()
                .build();
        Node poor = node("poor", 4)
                .editStatus()
                .addToAllocatable(GPU, new Quantity("3"))
                .endStatus()
                .build();

        RingIntent intent = read(Cases.silent("silent", 0), tainted, watched, declared, poor);

        assertThat(reasons(intent.nodes().get(0))).containsExactly("NodeUnreachable");
        assertThat(reasons(intent.nodes().get(1))).containsExactly("NodeUnreachable");
        assertThat(reasons(intent.nodes().get(2))).containsExactly("GpuMemWatch");
        assertThat(reasons(intent.nodes().get(3))).containsExactly("DeclaredFaulty");
        assertThat(intent.nodes().get(3).signals().getFirst().remark()).isEqualTo("smells");
        assertThat(reasons(intent.nodes().get(4))).containsExactly("GpusMissing");
        assertThat(intent.nodes().get(4).signals().getFirst().hold()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void closesCordonedAndBusyNodesWithoutCallingThemFaulty() {
        Node cordoned =
                node("cordoned", 0).editSpec().withUnschedulable(true).endSpec().build();

        RingIntent intent = reader.read(
                        yaml(OpticalFabric.class, RING),
                        List.of(cordoned, node("busy", 1).build()),
                        Map.of(GPU, Set.of("busy")))
                .orElseThrow();

        assertThat(intent.nodes().get(0)).isEqualTo(new RingNode("cordoned", 0, List.of(), false, false));
        assertThat(intent.nodes().get(1)).isEqualTo(new RingNode("busy", 1, List.of(), true, true));
    }

    @Test
    void saysWhichLabelsAreNoPositionAndWhatIsAllowed() {
        SortedMap<String, String> astray = read(
                        node("n0", 0).build(),
                        node("far", 8).build(),
                        at(node("spelled", 4), "four"),
                        at(node("padded", 4), "07"),
                        at(node("blank", 4), ""),
                        at(
                                node("of-another-fabric", 99)
                                        .editMetadata()
                                        .addToLabels("ring", "b")
                                        .endMetadata(),
                                "99"))
                .astray();

        assertThat(astray).containsOnlyKeys("far", "spelled", "padded", "blank");
        assertThat(astray.get("far"))
                .isEqualTo(
                        "node far: label lightpath.dev/ring-position is \"8\", and must be a whole number from 0 to 7,"
                                + " without leading zeros");
        assertThat(astray.get("spelled")).contains("is \"four\",");
    }

    @Test
    void aLineThatGrowsTakesAnyPosition() {
        OpticalFabric line = yaml(
                OpticalFabric.class, RING.replace("shape: Ring", "shape: Line").replace("    positions: 8\n", ""));

        assertThat(reader.read(line, List.of(node("n8", 8).build(), at(node("n9", 9), "9th")), Map.of())
                        .orElseThrow()
                        .astray())
                .containsOnlyKeys("n9")
                .hasValueSatisfying(new Condition<>(why -> why.contains("from 0 to 99999"), "what is allowed"));
    }

    private static Node at(NodeBuilder node, String position) {
        return node.editMetadata()
                .addToLabels("lightpath.dev/ring-position", position)
                .endMetadata()
                .build();
    }

    @Test
    void aLineGrowsInWholeRacksAndNeverShrinks() {
        String line = RING.replace("shape: Ring", "shape: Line").replace("    positions: 8\n", "");
        List<Node> nodes = new ArrayList<>(List.of(node("n8", 8).build()));

        assertThat(positions(line, nodes)).isEqualTo(10);
        assertThat(positions(line + "status: {positions: 14}\n", nodes)).isEqualTo(14);
    }

    private int positions(String fabric, List<Node> nodes) {
        return reader.read(yaml(OpticalFabric.class, fabric), nodes, Map.of())
                .orElseThrow()
                .ring()
                .positions();
    }

    @Test
    void refusesAnImpossibleRingByNamingTheField() {
        OpticalFabric fabric = yaml(OpticalFabric.class, RING.replace("reach: 3", "reach: 5"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> reader.read(fabric, List.of(), Map.of()))
                .withMessageContaining("reach = 5");
    }

    @Test
    void saysWhereLabelledRacksContradictThePositions() {
        OpticalFabric fabric =
                yaml(OpticalFabric.class, RING.replace("nodesPerTor: 2", "nodesPerTor: 2\n    torLabel: rack"));
        Node n0 = labelled(node("n0", 0).build(), "r0");
        Node n4 = labelled(node("n4", 4).build(), "r0");
        Node n1 = labelled(node("n1", 1).build(), "r1");
        assertThat(reader.read(fabric, List.of(n0, n4, n1), Map.of())
                        .orElseThrow()
                        .torMismatch())
                .isEmpty();
        Node astray = labelled(node("n5", 5).build(), "r0");
        assertThat(reader.read(fabric, List.of(n0, n4, n1, astray), Map.of())
                        .orElseThrow()
                        .torMismatch())
                .hasValueSatisfying(why -> assertThat(why).contains("label rack", "n5 (r0)"));
    }

    private static Node labelled(Node node, String rack) {
        node.getMetadata().getLabels().put("rack", rack);
        return node;
    }
}
