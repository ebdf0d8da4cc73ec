package dev.lightpath.cli.cluster.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.console.Look;
import dev.lightpath.console.Sight;
import dev.lightpath.console.forecast.FaultName;
import dev.lightpath.console.forecast.FaultOutlook;
import dev.lightpath.console.forecast.FaultReport;
import dev.lightpath.console.forecast.SliceLoss;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.pod.JobNames;
import dev.lightpath.reading.pod.PodAttribution;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Eight nodes of a ring in two pods on two switches; a job of two stages of two nodes, one in each pod, with two
 * circuits between them.
 */
class FaultOutlookTest {
    private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");

    private final List<String> remarks = new ArrayList<>();
    private final Map<String, OpticalFabric> fabrics = new TreeMap<>(Map.of("ring-a", Shown.fabric(), "dc", spine()));
    private final List<FabricSlice> slices = new ArrayList<>(List.of(ring(), circuits()));
    private final List<OpticalSwitch> switches = new ArrayList<>(List.of(opticalSwitch(0), opticalSwitch(1)));
    private final List<Pod> pods = new ArrayList<>();
    private final Map<String, Set<String>> foreign = new TreeMap<>();
    private Sight sight = Sight.ALL;
    private TrainingJob job = job("reconfiguration: Live, recovery: {replace: Immediately}");

    @Test
    void aNodeIsReplacedOnTheRingByOneOfItsPod() {
        FaultReport.Document document = document("node/n1");
        assertThat(document.infeasible()).isNull();
        SliceLoss ring = document.jobs().getFirst().slices().getFirst();
        assertThat(ring.fabric()).isEqualTo("ring-a");
        assertThat(ring.repaired()).isTrue();
        assertThat(ring.before().getFirst().nodes()).containsExactly("n0", "n1");
        assertThat(ring.groups().getFirst().nodes()).doesNotContain("n1").isSubsetOf("n0", "n2", "n3");
        assertThat(page("node/n1")).contains("then group 0: ");
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
        SliceLoss spine = document.jobs().getFirst().slices().getFirst();
        assertThat(spine.fabric()).isEqualTo("dc");
        assertThat(spine.circuitsLost()).isEqualTo(1);
        assertThat(spine.pairs()).containsExactly(new SliceLoss.PairChange("a", "b", 2, 1));
        assertThat(spine.iterationSeconds()).isGreaterThan(spine.iterationSecondsBefore());
        assertThat(document.infeasible()).as("the job goes on").isNull();
        assertThat(page("switch/ocs-0"))
                .startsWith("if switch/ocs-0 failed now:\n")
                .contains("light: 1 circuit goes, 0 come, all others stay")
                .contains("a - b: 1 circuit instead of 2")
                .contains("an iteration of ");
    }

    @Test
    void aPortIsTheSameHereSinceItsPodHasNoOther() {
        SliceLoss spine = document("switch/ocs-1/1").jobs().getFirst().slices().getFirst();
        assertThat(spine.circuitsLost()).isEqualTo(1);
    }

    @Test
    void aBundleThatDiesConcernsTheJobOnTheRing() {
        assertThat(document("device/n1").jobs().getFirst().slices())
                .extracting(SliceLoss::fabric)
                .containsExactly("ring-a");
    }

    @Test
    void whatServesNobodyMovesNothing() {
        assertThat(document("node/n2").jobs()).isEmpty();
        assertThat(document("port/n2/b0.path1").jobs()).isEmpty();
        assertThat(page("device/n2")).contains("if device/n2 failed now: no light of a job would move");
    }

    @Test
    void whatIsNowhereIsRefusedInOneLine() {
        refused("node/n9", "there is no node n9");
        refused("node/cpu", "node cpu is on no ring of transceivers and in no pod of a fabric with optical switches");
        refused("switch/ocs-9", "there is no optical switch ocs-9; there are ocs-0, ocs-1");
        refused("switch/n99/1", "there is no optical switch n99; there are ocs-0, ocs-1");
        refused("switch/n1", "'switch/n1': n1 is a node with transceivers, no optical switch: say device/n1");
        String nodes = "; there are n0, n1, n2, n3, n4 and 3 more";
        refused("device/typo", "there is no node with transceivers typo" + nodes);
        refused("port/n99/b0", "there is no node with transceivers n99" + nodes);
        refused("switch/ocs-0/7", "switch ocs-0 has no pod wired to port 7; there are 1, 2");
        refused(
                "port/n1/b3",
                "node n1 has no port b3: allowed are b0 to b2, alone or with .path1, .path2, .loop or .common");
    }

    @Test
    void aSwitchThatIsNamedAsStatusesNameItIsSaidToBeOne() {
        assertThat(document("device/ocs-0").jobs())
                .isEqualTo(document("switch/ocs-0").jobs());
        assertThat(page("device/ocs-0")).startsWith("if device/ocs-0 (ocs-0 is an optical switch) failed now:\n");
        assertThat(document("port/ocs-1/1").jobs())
                .isEqualTo(document("switch/ocs-1/1").jobs());
    }

    @Test
    void whatIsNeverToBeRepairedStaysBroken() {
        job = job("recovery: {replace: Never}");
        FaultReport.Document document = document("node/n1");
        SliceLoss part = document.jobs().getFirst().slices().getFirst();
        assertThat(part.repaired()).isFalse();
        assertThat(part.waitsFor()).isNull();
        assertThat(document.infeasible()).contains("it is not to be repaired (recovery.replace: Never)");
    }

    @Test
    void aPausedFabricIsPlannedAsThoughItWentOn() {
        OpticalFabric paused = Shown.fabric();
        paused.setSpec(Shown.yaml(OpticalFabric.class, """
                spec:
                  paused: true
                  ocsTrx:
                    shape: Ring
                    reach: 3
                    gpusPerNode: 4
                    positions: 8
                    nodeSelector: {matchLabels: {lightpath.dev/ring: ring-a}}
                    driver: {endpoint: "127.0.0.1:9440"}
                """).getSpec());
        paused.setStatus(Shown.yaml(OpticalFabric.class, """
                status:
                  conditions:
                  - {type: Ready, status: "False", reason: Paused, message: set spec.paused to false, lastTransitionTime: "2026-11-21T07:00:00Z"}
                """).getStatus());
        fabrics.put("ring-a", paused);
        FaultReport.Document document = document("node/n1");
        SliceLoss part = document.jobs().getFirst().slices().getFirst();
        assertThat(part.repaired()).isTrue();
        assertThat(part.groups()).isNotEmpty();
        assertThat(part.waitsFor()).isEqualTo("Paused: set spec.paused to false");
        paused.setStatus(null);
        assertThat(document("node/n1").jobs().getFirst().slices().getFirst().waitsFor())
                .as("not reported on yet")
                .isEqualTo("Paused: set spec.paused to false to go on");
    }

    @Test
    void aRepairThatWaitsForPodsSaysSoOnceAndWithoutAClock() {
        pods.add(Shown.pod("llm-0", "n0", "Running", JobNames.jobSet(job)));
        job = job("workload: {template: {}}, recovery: {replace: WithWorkload}");
        FaultReport.Document document = document("device/n1");
        SliceLoss part = document.jobs().getFirst().slices().getFirst();
        assertThat(part.repaired()).isTrue();
        assertThat(part.waitsFor()).isEqualTo("the pods of the job to stop (recovery.replace: WithWorkload)");
        assertThat(page("device/n1"))
                .contains("  waits for the pods of the job to stop (recovery.replace: WithWorkload)\n");
        assertThat(document("node/n1").jobs().getFirst().slices().getFirst().waitsFor())
                .contains("which a dead node brings about");
        job = job("workload: {template: {}}, recovery: {replace: AfterSeconds, afterSeconds: 60}");
        assertThat(document("device/n1").jobs().getFirst().slices().getFirst().waitsFor())
                .isEqualTo("the pods of the job to stop, at most 60 s (recovery.replace: AfterSeconds)");
    }

    @Test
    void aSliceThatCannotBeReadIsLeftOutAndNamed() {
        FabricSlice bad = circuits();
        bad.getMetadata().setName("bad");
        bad.setSpec(Shown.yaml(FabricSlice.class, """
                spec:
                  fabric: dc
                  job: {name: other, uid: o, attempt: 1}
                  demand: {scaleOut: {torus: {chips: nonsense}, parallelism: {tensor: 8}}}
                """).getSpec());
        FabricSlice unreadable = ring();
        unreadable.getMetadata().setName("unreadable");
        unreadable.setStatus(Shown.yaml(FabricSlice.class, """
                status: {allocation: {format: 99, revision: 1, groups: [{index: 0, nodes: [n2], positions: [2]}]}}
                """).getStatus());
        slices.add(bad);
        slices.add(unreadable);
        assertThat(document("node/n1").jobs()).hasSize(1);
        assertThat(remarks)
                .filteredOn(line -> line.contains("left out"))
                .hasSize(2)
                .anyMatch(line -> line.contains("FabricSlice default/bad: "))
                .anyMatch(line -> line.contains("FabricSlice default/unreadable: "));
    }

    @Test
    void aFabricThatCannotBeReadIsLeftOutAndNamed() {
        OpticalFabric broken = Shown.fabric();
        broken.getMetadata().setName("ring-b");
        broken.setSpec(Shown.yaml(OpticalFabric.class, """
                spec: {ocsTrx: {shape: Ring, reach: 5, gpusPerNode: 4, positions: 8, driver: {endpoint: "127.0.0.1:9440"}}}
                """).getSpec());
        fabrics.put("ring-b", broken);
        assertThat(document("node/n1").jobs()).as("on a healthy ring").hasSize(1);
        assertThat(remarks)
                .filteredOn(line -> line.contains("left out"))
                .singleElement()
                .asString()
                .startsWith("lightpath: jobs on this fabric are left out: fabric ring-b: ");
        refused(
                "node/cpu",
                "node cpu is on no ring of transceivers and in no pod of a fabric with optical switches"
                        + " (left out: fabric ring-b)");
    }

    @Test
    void lightThatNobodyPlannedClosesNodesOnItsOwnRingAlone() {
        fabrics.put("a-ring", Shown.yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: a-ring}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: 3
                    gpusPerNode: 4
                    positions: 8
                    nodeSelector: {matchLabels: {lightpath.dev/ring: a-ring}}
                    driver: {endpoint: "127.0.0.1:9440"}
                """));
        foreign.put("a-ring", Set.of("n2", "n3"));
        assertThat(document("node/n1").infeasible()).isNull();
        foreign.put("ring-a", Set.of("n2", "n3"));
        assertThat(document("node/n1").infeasible()).isNotNull();
    }

    @Test
    void aNodeThatServesNobodyIsASpareOnlyWhereItCouldServe() {
        assertThat(page("node/n2"))
                .isEqualTo("if node n2 (position 2 of fabric ring-a) failed now: no light of a job would move,"
                        + " it is a spare\n");
        assertThat(page("node/n7")).endsWith("no light of a job would move, it counts as faulty already\n");
        foreign.put("ring-a", Set.of("n2"));
        assertThat(page("node/n2"))
                .endsWith("its GPUs are held by pods of others, or it has light that nobody planned\n");
        assertThat(page("node/n1")).startsWith("if node n1 (position 1 of fabric ring-a) failed now:\n");
    }

    @Test
    void aJobOnOneRingAloneIsToldWithItAndNotTwice() {
        slices.remove(1);
        job = Shown.yaml(TrainingJob.class, """
                metadata: {name: llm, namespace: default, uid: u}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 8, data: 2}
                  scaleUp: {fabric: ring-a}
                """);
        FaultReport.Document document = document("node/n1");
        assertThat(document.jobs()).isEmpty();
        assertThat(document.fabrics().getFirst().repairs())
                .singleElement()
                .satisfies(repair -> assertThat(repair.repaired()).isTrue());
        assertThat(document("device/n1").jobs()).hasSize(1);
    }

    @Test
    void aStaticTopologyMovesItsLinksToTheSpareSwitch() {
        polarFly(5);
        SliceLoss topology = document("switch/fixed-1").topologies().getFirst();
        assertThat(topology.fabric()).isEqualTo("fixed");
        assertThat(topology.repaired()).isTrue();
        assertThat(topology.circuitsLost()).isPositive().isEqualTo(topology.circuitsNew());
        assertThat(topology.pairs()).as("every pair has what it had").isEmpty();
        assertThat(page("switch/fixed-1"))
                .startsWith("if switch/fixed-1 failed now:\n  the static topology of fabric fixed: around ");
        assertThat(document("switch/ocs-0").topologies()).isEmpty();
        assertThat(document("switch/fixed-4").topologies()).as("a spare").isEmpty();
    }

    @Test
    void aStaticTopologyWithoutASpareSwitchIsNotRepairedAndSaysSo() {
        polarFly(4);
        FaultReport.Document document = document("switch/fixed-1");
        assertThat(document.topologies().getFirst().repaired()).isFalse();
        assertThat(document.infeasible())
                .startsWith("slice lightpath-system/fixed-topology: fixed-1/")
                .contains("would have failed: ");
        assertThat(page("switch/fixed-1")).contains("no free ports for 6 links, p0-p7, ");
    }

    /** Thirteen pods with a port on each of some switches; the topology needs four of these. */
    private void polarFly(int count) {
        String pods = IntStream.range(0, 13)
                .mapToObj(pod -> "{name: p%d, index: %d, ports: %d, gpus: 16}".formatted(pod, pod, count))
                .collect(Collectors.joining(", "));
        fabrics.put("fixed", Shown.yaml(OpticalFabric.class, """
                metadata: {name: fixed}
                spec:
                  ocs:
                    gpusPerNode: 4
                    pods: [%s]
                    topology: {polarFly: {order: 3}}
                """.formatted(pods)));
        for (int number = 0; number < count; number++) {
            switches.add(Shown.yaml(
                    OpticalSwitch.class, """
                    metadata: {name: fixed-%d}
                    spec:
                      fabric: fixed
                      driver: {endpoint: "127.0.0.1:9440", deviceId: fixed-%d}
                      wiring: {striped: {firstIngress: 1, portsPerPod: 1}}
                      %s
                    """.formatted(number, number, number < 4 ? "plane: " + number : "")));
        }
        slices.add(Shown.yaml(FabricSlice.class, """
                metadata: {name: fixed-topology, namespace: lightpath-system, resourceVersion: "9"}
                spec:
                  fabric: fixed
                  demand: {topology: {}}
                """));
    }

    @Test
    void aQuestionIsAskedOnce() {
        assertThat(document("switch/ocs-0").settled()).isTrue();
        assertThat(remarks).containsExactly("asked", "asked");
    }

    @Test
    void aViewerWhoMayNotSeeTheJobLearnsThatThereIsOne() {
        for (String fault : List.of("node/n1", "device/n1", "switch/ocs-0")) {
            String shown = page(fault);
            assertThat(shown).as(fault).contains("default");
            sight = new Sight(true, namespace -> false);
            assertThat(page(fault))
                    .as(fault)
                    .startsWith("if ")
                    .contains("\n  it concerns ", " that you may not see\n")
                    .doesNotContain("default", "llm", "no light of a job would move");
            sight = Sight.ALL;
        }
    }

    @Test
    void aSliceThatCannotBeReadIsNotNamedToAViewerWhoMayNotSeeIt() {
        slices.getFirst().setStatus(Shown.yaml(FabricSlice.class, """
                status: {allocation: {format: 99, revision: 1, groups: [{index: 0, nodes: [n2], positions: [2]}]}}
                """).getStatus());
        sight = new Sight(true, namespace -> false);
        page("node/n5");
        assertThat(remarks)
                .contains("lightpath: this is left out, what it has counts as free: a slice that you may not see");
        assertThat(String.join(" ", remarks)).doesNotContain("default", "llm");
    }

    private void refused(String fault, String why) {
        assertThatThrownBy(() -> document(fault)).isInstanceOf(BadInput.class).hasMessage(why);
    }

    private String page(String fault) {
        FaultOutlook outlook = outlook(List.of());
        FaultName name = FaultName.parse(fault);
        return FaultReport.page(outlook.strike(name), outlook.title(name)).render();
    }

    /** @param already what has failed before */
    private FaultReport.Document document(String fault, String... already) {
        return outlook(List.of(already)).strike(FaultName.parse(fault));
    }

    private FaultOutlook outlook(List<String> faulty) {
        List<Node> nodes = new ArrayList<>(IntStream.range(0, 8)
                .mapToObj(position -> new NodeBuilder(Shown.node(position))
                        .editMetadata()
                        .addToLabels("lightpath.dev/pod", position < 4 ? "a" : "b")
                        .endMetadata()
                        .build())
                .toList());
        nodes.add(new NodeBuilder()
                .withNewMetadata()
                .withName("cpu")
                .endMetadata()
                .build());
        nodes.stream()
                .filter(node -> faulty.contains("node/" + node.getMetadata().getName()))
                .forEach(node -> node.getMetadata().setAnnotations(Map.of("lightpath.dev/faulty", "smoke")));
        Look look = new Look(
                NOW,
                Optional.empty(),
                List.copyOf(fabrics.values()),
                switches,
                List.of(job),
                slices,
                nodes,
                List.of(),
                Map.of(),
                sight);
        return new FaultOutlook(
                look,
                PodAttribution.of(
                        pods.stream().map(PodUse::of),
                        Map.of(),
                        key -> key.equals("default/llm") ? job : null,
                        slices,
                        node -> node.startsWith("n")),
                fabric -> foreign.getOrDefault(fabric.getMetadata().getName(), Set.of()),
                question -> {
                    remarks.add("asked");
                    return new TimedSolver(System::nanoTime).apply(question);
                },
                () -> false,
                remarks::add);
    }

    /** @param more of its spec */
    private static TrainingJob job(String more) {
        return Shown.yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: default, uid: u}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8, pipeline: 2}, scaleUp: {fabric: ring-a}, scaleOut: {fabric: dc, stagesPerPod: 1}, %s}
                """.formatted(more));
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
