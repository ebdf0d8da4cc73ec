package dev.lightpath.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.cli.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.fault.Subject;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Eight nodes of a ring in two pods on two switches; a job of two stages of two nodes, one in each pod, with two circuits between them. */
class FaultOutlookTest {
    private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");

    private final List<String> remarks = new ArrayList<>();

    @Test
    void aNodeIsReplacedOnTheRingByOneOfItsPod() {
        FaultReport.Document document = document("node/n1");
        assertThat(document.infeasible()).isNull();
        JobLoss.Part ring = document.jobs().getFirst().slices().getFirst();
        assertThat(ring.fabric()).isEqualTo("ring-a");
        assertThat(ring.repaired()).isTrue();
        assertThat(ring.before().getFirst().nodes()).containsExactly("n0", "n1");
        assertThat(ring.groups().getFirst().nodes()).doesNotContain("n1").isSubsetOf("n0", "n2", "n3");
        assertThat(FaultReport.page(document).render()).contains("then group 0: ");
    }

    @Test
    void aNodeWithoutASpareInItsPodSaysSo() {
        FaultReport.Document document = document("node/n0", "node/n2", "node/n3");
        assertThat(document.infeasible())
                .contains("slice default/llm-ring-a-1-abcde: ")
                .contains("n0");
        assertThat(document.jobs().getFirst().slices().getFirst().repaired()).isFalse();
    }

    @Test
    void aSwitchCostsCircuitsAndTheIterationIsPredictedAnew() {
        FaultReport.Document document = document("switch/ocs-0");
        JobLoss.Part spine = document.jobs().getFirst().slices().getFirst();
        assertThat(spine.fabric()).isEqualTo("dc");
        assertThat(spine.circuitsLost()).isEqualTo(1);
        assertThat(spine.pairs()).containsExactly(new JobLoss.PairChange("a", "b", 2, 1));
        assertThat(spine.iterationSeconds()).isGreaterThan(spine.iterationSecondsBefore());
        assertThat(document.infeasible()).as("the job goes on").isNull();
        assertThat(FaultReport.page(document).render())
                .contains("if device/ocs-0 failed now:")
                .contains("a - b: 1 circuits instead of 2")
                .contains("an iteration of ");
    }

    @Test
    void aPortIsTheSameHereSinceItsPodHasNoOther() {
        JobLoss.Part spine =
                document("switch/ocs-1/1").jobs().getFirst().slices().getFirst();
        assertThat(spine.circuitsLost()).isEqualTo(1);
    }

    @Test
    void aBundleThatDiesConcernsTheJobOnTheRing() {
        assertThat(document("device/n1").jobs().getFirst().slices())
                .extracting(JobLoss.Part::fabric)
                .containsExactly("ring-a");
    }

    @Test
    void whatServesNobodyMovesNothing() {
        FaultReport.Document document = document("node/n2");
        assertThat(document.jobs()).isEmpty();
        assertThat(document("port/n2/b0.path1").jobs()).isEmpty();
        assertThat(FaultReport.page(document("device/n2")).render())
                .contains("if device/n2 failed now: no light of a job would move");
    }

    @Test
    void whatIsNowhereIsRefusedInOneLine() {
        refused("node/n9", "node n9 is on no ring of transceivers and in no pod of a fabric with optical switches");
        refused(
                "switch/ocs-9",
                "there is no optical switch and no node with transceivers ocs-9; there are ocs-0, ocs-1");
        refused("switch/ocs-0/7", "switch ocs-0 has no pod wired to port 7; there are 1, 2");
        refused(
                "port/n1/b3",
                "node n1 has no port b3: allowed are b0 to b2, alone or with .path1, .path2, .loop or .common");
    }

    @Test
    void aFabricThatCannotBeReadIsLeftOutAndNamed() {
        OpticalFabric broken = Shown.fabric();
        broken.getMetadata().setName("ring-b");
        broken.setSpec(Shown.yaml(OpticalFabric.class, """
                spec: {ocsTrx: {shape: Ring, reach: 5, gpusPerNode: 4, positions: 8, driver: {endpoint: "127.0.0.1:9440"}}}
                """).getSpec());
        outlook(List.of(), Map.of("ring-a", Shown.fabric(), "dc", spine(), "ring-b", broken));
        assertThat(remarks)
                .singleElement()
                .asString()
                .startsWith("lightpath: jobs on this fabric are left out: fabric ring-b: ");
    }

    private void refused(String fault, String why) {
        assertThatThrownBy(() -> document(fault)).isInstanceOf(BadInput.class).hasMessage(why);
    }

    /** @param already what has failed before */
    private FaultReport.Document document(String fault, String... already) {
        FaultOutlook outlook = outlook(List.of(already), Map.of("ring-a", Shown.fabric(), "dc", spine()));
        Subject subject = FaultName.parse(fault);
        outlook.require(subject);
        return FaultReport.document(subject, List.of(), outlook.losses(subject, NOW));
    }

    private FaultOutlook outlook(List<String> faulty, Map<String, OpticalFabric> fabrics) {
        List<Node> nodes = IntStream.range(0, 8)
                .mapToObj(position -> new NodeBuilder(Shown.node(position))
                        .editMetadata()
                        .addToLabels("lightpath.dev/pod", position < 4 ? "a" : "b")
                        .endMetadata()
                        .build())
                .toList();
        nodes.stream()
                .filter(node -> faulty.contains("node/" + node.getMetadata().getName()))
                .forEach(node -> node.getMetadata().setAnnotations(Map.of("lightpath.dev/faulty", "smoke")));
        return new FaultOutlook(
                fabrics,
                List.of(opticalSwitch(0), opticalSwitch(1)),
                nodes,
                List.of(job()),
                List.of(ring(), circuits()),
                List.of(),
                fabric -> Set.of(),
                remarks::add);
    }

    private static TrainingJob job() {
        return Shown.yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: default, uid: u}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 8, pipeline: 2}
                  scaleUp: {fabric: ring-a}
                  scaleOut: {fabric: dc, stagesPerPod: 1}
                  reconfiguration: Live
                  recovery: {replace: Immediately}
                """);
    }

    private static OpticalFabric spine() {
        return Shown.yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: dc}
                spec:
                  ocs:
                    gpusPerNode: 4
                    pods:
                    - {name: a, index: 0, ports: 2, gpus: 16}
                    - {name: b, index: 1, ports: 2, gpus: 16}
                    topology: {logical: {}}
                """);
    }

    private static OpticalSwitch opticalSwitch(int number) {
        return Shown.yaml(OpticalSwitch.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: ocs-%d}
                spec:
                  fabric: dc
                  driver: {endpoint: "127.0.0.1:9440", deviceId: ocs-%d}
                  wiring: {striped: {firstIngress: 1, portsPerPod: 1}}
                """.formatted(number, number));
    }

    private static FabricSlice ring() {
        return Shown.yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: llm-ring-a-1-abcde, namespace: default, resourceVersion: "7"}
                spec:
                  fabric: ring-a
                  job: {name: llm, uid: u, attempt: 1}
                  demand: {scaleUp: {groups: 2, gpusPerGroup: 8}}
                status:
                  allocation:
                    format: 1
                    revision: 1
                    groups:
                    - {index: 0, nodes: [n0, n1], positions: [0, 1]}
                    - {index: 1, nodes: [n4, n5], positions: [4, 5]}
                """);
    }

    private static FabricSlice circuits() {
        return Shown.yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: llm-dc-1-abcde, namespace: default, resourceVersion: "8"}
                spec:
                  fabric: dc
                  job: {name: llm, uid: u, attempt: 1}
                  demand:
                    scaleOut:
                      model: {preset: gpt-7b}
                      parallelism: {tensor: 8, pipeline: 2}
                      stagesPerPod: 1
                      microBatches: 8
                      microBatchSize: 1
                      rates: Joint
                      portTolerance: "1e-9"
                status:
                  allocation:
                    format: 1
                    revision: 1
                    groups:
                    - {index: 0, nodes: [a], positions: [0]}
                    - {index: 1, nodes: [b], positions: [1]}
                    circuits:
                    - {switch: ocs-0, circuits: ["1-2"]}
                    - {switch: ocs-1, circuits: ["1-2"]}
                    chosen:
                      question: other
                      circuits: [2]
                      prediction: {iterationSeconds: "1", lowerBoundSeconds: "0.5", ports: 4, portBudget: 4, bestSeconds: "1"}
                """);
    }
}
