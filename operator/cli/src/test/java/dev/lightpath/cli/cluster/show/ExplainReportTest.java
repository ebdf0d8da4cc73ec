package dev.lightpath.cli.cluster.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.cli.cluster.access.OperatorAnswer;
import dev.lightpath.console.explain.ExplainPage;
import dev.lightpath.console.explain.ExplainReport;
import dev.lightpath.console.explain.ScaleOutReport;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.delta.Explanation;
import dev.lightpath.planner.delta.search.SearchLimits;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainReportTest {
    private static final String CIRCUITS =
            "[\"1-5\", \"9-13\", \"2-10\", \"3-11\", \"4-12\", \"6-14\", \"7-15\", \"8-16\"]";

    @Test
    void putsTheRecordedCircuitsToDeltaAgain() {
        ExplainReport report = report(delta(CIRCUITS));
        assertThat(report.notes()).isEmpty();
        ScaleOutReport circuits = report.scaleOut().getFirst();
        assertThat(circuits.note()).isNull();
        assertThat(circuits.pods()).containsExactly("a", "b", "c", "d");
        Explanation explanation = circuits.explanation();
        assertThat(explanation).isNotNull();
        assertThat(explanation.pairs())
                .extracting(Explanation.PairShare::circuits)
                .containsExactly(1, 3, 3);
        assertThat(explanation.makespanSeconds())
                .as("GPT-7B with 8 micro-batches, delta-instance gpt7b-400")
                .isCloseTo(0.764862895882, within(1e-11));
        assertThat(explanation.morePorts()).first().satisfies(more -> {
            assertThat(more.ports()).as("no port of pod a is free").isEqualTo(4);
            assertThat(more.used()).isEqualTo(4);
        });
    }

    /** A job of three replicas that does with two was placed, or goes on, with two. */
    @Test
    void explainsTheReplicasThatThereAre() {
        assertThat(report(delta(CIRCUITS, "data: 3, minimumData: 2")).scaleOut())
                .isEqualTo(report(delta(CIRCUITS)).scaleOut());
    }

    /** The same on a switch with two sides: light of a circuit goes one way, so that each pair takes two. */
    @Test
    void countsTheTwoWaysOfATwoSidedSwitchAsOneCircuit() {
        StringBuilder both = new StringBuilder("[");
        for (String circuit : CIRCUITS.replaceAll("[\\[\\]\" ]", "").split(",")) {
            int from = Integer.parseInt(circuit.split("-")[0]);
            int to = Integer.parseInt(circuit.split("-")[1]);
            both.append("\"%d-%d\", \"%d-%d\", ".formatted(from, to + 100, to, from + 100));
        }
        ExplainReport report = ExplainReport.of(
                job(),
                List.of(delta(both.append("\"1-199\"]").toString())),
                List.of(spine()),
                List.of(opticalSwitch("{firstIngress: 1, firstEgress: 101, portsPerPod: 4}")),
                Fabrics.of(List.of(spine()), List.of(), List.of()),
                limits());
        Explanation explanation = report.scaleOut().getFirst().explanation();
        assertThat(explanation).isNotNull();
        assertThat(explanation.pairs())
                .extracting(Explanation.PairShare::circuits)
                .containsExactly(1, 3, 3);
    }

    @Test
    void namesThePodsOnThePage() {
        assertThat(ExplainPage.of(report(delta(CIRCUITS))).render())
                .contains("circuits: slice llm-spine-1-abcde on spine")
                .contains("iteration 0.764863 s under joint rates")
                .containsPattern("a - b +1 ")
                .containsPattern("a - c +3 ")
                .contains("one more port in")
                .containsPattern("a \\(4 of 4 used\\): ");
    }

    /** As an operator answers a tenant. */
    @Test
    void isTheSameAfterTheWayFromTheOperator() throws IOException {
        ExplainReport report = report(delta(CIRCUITS));
        String sent = new ObjectMapper().writeValueAsString(report);
        assertThat(new OperatorAnswer("the operator", sent).as(ExplainReport.class, "explanation"))
                .isEqualTo(report);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"1-5\", \"9-13\", \"2-10\"]", "[]"})
    void saysWhenPairsHaveNoCircuitsYet(String circuits) {
        assertThat(ExplainPage.of(report(delta(circuits))).render())
                .contains("not every pair of pods with traffic has a circuit recorded yet");
    }

    @Test
    void saysWhyARingJobSitsWhereItSits() {
        TrainingJob job = Shown.job("u");
        List<OpticalFabric> fabrics = List.of(Shown.fabric());
        ExplainReport report = ExplainReport.of(
                job,
                List.of(Shown.slice("u")),
                fabrics,
                List.of(),
                Fabrics.of(fabrics, List.of(), List.of()),
                limits());
        assertThat(ExplainPage.of(report).render())
                .contains("groups: slice llm-ring-a-1-abcde on ring-a")
                .contains("why these seats: n0 in for n7, 1 of 2 groups changed (local-repair)")
                .contains("group 1: n4@4 n5@5 n6@6; 4 of 9 bundles lead light to a neighbour, the others loop back")
                .contains("the job has no scaleOut: no circuits between pods to explain");
    }

    @Test
    void saysWhatTheTemplateContradicts() {
        TrainingJob job = Shown.job("u");
        job.getStatus().conditions().getFirst().setReason("TemplateContradicts");
        job.getStatus().conditions().getFirst().setMessage("container t says 9");
        ExplainReport report = ExplainReport.of(
                job,
                List.of(Shown.slice("u")),
                List.of(),
                List.of(),
                Fabrics.of(List.of(), List.of(), List.of()),
                limits());
        assertThat(report.contradiction()).isEqualTo("TemplateContradicts: container t says 9");
        assertThat(ExplainPage.of(report).render().lines())
                .element(1)
                .isEqualTo("TemplateContradicts: container t says 9");
    }

    @Test
    void namesPortsOfTheJobsCircuitsWhoseLightGetsWorseAndNoOthers() {
        OpticalFabric fabric = spine();
        fabric.setStatus(Shown.yaml(OpticalFabric.class, """
                        apiVersion: lightpath.dev/v1alpha1
                        kind: OpticalFabric
                        metadata: {name: spine}
                        status:
                          faults:
                          - {subject: port/ocs-0/13, reason: Degrading, since: "2026-11-28T08:00:00Z"}
                          - {subject: port/ocs-0/14, reason: LowPower, since: "2026-11-28T08:00:00Z"}
                          opticalHealth:
                            watchedPorts: 32
                            degradingPorts: 6
                            takenOutPorts: 1
                            ports:
                            - {port: ocs-0, since: "2026-11-28T09:00:00Z", measured: ages, course: Told}
                            - {port: ocs-9, since: "2026-11-28T09:00:00Z", measured: ages, course: Told}
                            - {port: ocs-0/5, since: "2026-11-28T09:00:00Z", measured: loses 2.2 dB, course: Held}
                            - {port: ocs-0/99, since: "2026-11-28T09:00:00Z", measured: loses 2.3 dB, course: Told}
                            - {port: ocs-0/2, seenAt: a/eth1, since: "2026-11-28T09:00:00Z", measured: loses 3.1 dB, course: Leaving}
                        """).getStatus());
        ExplainReport report = ExplainReport.of(
                job(),
                List.of(delta(CIRCUITS)),
                List.of(fabric),
                List.of(opticalSwitch("{firstIngress: 1, portsPerPod: 4}")),
                Fabrics.of(List.of(fabric), List.of(), List.of()),
                limits());
        assertThat(report.degrading())
                .extracting(each -> each.port().port())
                .as("a switch of its circuits may get worse as a whole")
                .containsExactly("ocs-0", "ocs-0/5", "ocs-0/2", "ocs-0/13");
        assertThat(ExplainPage.of(report).render())
                .contains("light that gets worse")
                .contains(
                        "spine: ocs-0/5 loses 2.2 dB, since 2026-11-28T09:00:00Z: it stays in use, because its circuits"
                                + " find no other place")
                .contains("ocs-0/2 loses 3.1 dB, since 2026-11-28T09:00:00Z, seen at a/eth1: it becomes a fault")
                .contains(
                        "ocs-0/13 got worse, and is not measured any more, since 2026-11-28T08:00:00Z: it is taken out")
                .doesNotContain("ocs-0/99");
        assertThat(report.notes()).contains("fabric spine: 1 more ports get worse than its status names");
    }

    @Test
    void saysThatNothingHasBeenGranted() {
        List<String> notes = ExplainReport.of(
                        job(),
                        new ArrayList<>(),
                        List.of(spine()),
                        List.of(),
                        Fabrics.of(List.of(), List.of(), List.of()),
                        limits())
                .notes();
        assertThat(notes).containsExactly("no slice: nothing has been granted yet");
    }

    @Test
    void saysWhenLostCircuitsComeBack() {
        TrainingJob job = job();
        TrainingJobStatus none = TrainingJobStatus.builder().attempt(1).build();
        job.setStatus(none);
        assertThat(notes(job)).noneMatch(note -> note.contains("at best"));
        job.setStatus(none.edit()
                .prediction(new Prediction("0.8", "0.7", "1.2", 6, 8, false, "0.7"))
                .build());
        assertThat(notes(job))
                .anyMatch(note ->
                        note.startsWith("an iteration is 14.3 % longer than at best (0.7 s): lost circuits come back")
                                && note.contains("AtRestart"));
        job.setStatus(none.edit()
                .prediction(new Prediction("0.8", "0.7", "1.2", 6, 8, false, "0"))
                .build());
        assertThat(notes(job)).noneMatch(note -> note.contains("at best"));
    }

    /** The status of the switch counts jobs, for whoever reads switches may not read jobs. */
    @Test
    void saysThatItsCircuitsAreOnASwitchThatIsToBeEmptied() {
        TrainingJob job = job();
        FabricSlice slice = delta(CIRCUITS);
        String wiring = "{firstIngress: 1, portsPerPod: 4}";
        assertThat(notes(job, slice, opticalSwitch(wiring))).noneMatch(note -> note.contains("drained"));
        assertThat(notes(job, slice, opticalSwitch(wiring, true)))
                .as("no pods")
                .contains("switch ocs-0 is drained and has 8 circuits of the job until there is room elsewhere");
        assertThat(notes(job, delta("[]"), opticalSwitch(wiring, true))).noneMatch(note -> note.contains("drained"));
        assertThat(notes(jobWithPods(), slice, opticalSwitch(wiring, true)))
                .contains("switch ocs-0 is drained and has 8 circuits of the job until there is room elsewhere while no"
                        + " pod of the job runs (reconfiguration AtRestart)");
        FabricSlice torus = Shown.yaml(
                FabricSlice.class,
                Serialization.asYaml(slice).replaceFirst("scaleOut:", "scaleOut:\n      torus: {chips: 4x4x8}"));
        assertThat(notes(jobWithPods(), torus, opticalSwitch(wiring, true)))
                .as("reconfiguration is not asked")
                .contains("switch ocs-0 is drained and has 8 circuits of the job until there is room elsewhere and"
                        + " recovery.replace lets a torus move");
    }

    private static List<String> notes(TrainingJob job, FabricSlice slice, OpticalSwitch of) {
        return ExplainReport.of(
                        job,
                        List.of(slice),
                        List.of(spine()),
                        List.of(of),
                        Fabrics.of(List.of(spine()), List.of(), List.of()),
                        limits())
                .notes();
    }

    @Test
    void saysWhatWasBelievedAndWhatWasLearnt() {
        assertThat(page(measured("""
                {iterationSeconds: "1.3", ratio: "1.11", learnt: {computeShare: "0.98", linkShare: "0.5"}}""")))
                .contains("the operator expects an iteration of 1.17 s")
                .contains("the job measured 1.3 s, 1.11 times as long as expected; GPUs reach 0.98 times the TFLOP/s of"
                        + " the model and links 0.5 times the rate of the fabric, and circuits are chosen by that");
        assertThat(page(measured("""
                {iterationSeconds: "1.3", ratio: "1.11", learnt: {computeShare: "0.9"}, lacks: other circuits}""")))
                .contains("GPUs reach 0.9 times the TFLOP/s of the model if links are as fast as the fabric says: other"
                        + " circuits");
        assertThat(page(measured("{lacks: three values}")))
                .contains("nothing was measured with the circuits that it has now; nothing is learnt from it yet: three"
                        + " values");
        assertThat(page(measured("{learnt: {computeShare: much}}")))
                .contains("status.measurement.learnt cannot be read");
        assertThat(page(job())).doesNotContain("measured");
    }

    private static TrainingJob measured(String measurement) {
        return Shown.yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: default, uid: u}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 2, pipeline: 4, data: 2}
                  scaleOut: {fabric: spine}
                status:
                  prediction: {iterationSeconds: "1.17"}
                  measurement: %s
                """.formatted(measurement));
    }

    private static String page(TrainingJob job) {
        return ExplainPage.of(ExplainReport.of(
                        job,
                        new ArrayList<>(),
                        List.of(spine()),
                        List.of(),
                        Fabrics.of(List.of(), List.of(), List.of()),
                        limits()))
                .render();
    }

    private static List<String> notes(TrainingJob job) {
        return ExplainReport.of(
                        job,
                        new ArrayList<>(),
                        List.of(spine()),
                        List.of(),
                        Fabrics.of(List.of(), List.of(), List.of()),
                        limits())
                .notes();
    }

    private static ExplainReport report(FabricSlice slice) {
        return ExplainReport.of(
                job(),
                List.of(slice),
                List.of(spine()),
                List.of(opticalSwitch("{firstIngress: 1, portsPerPod: 4}")),
                Fabrics.of(List.of(spine()), List.of(), List.of()),
                limits());
    }

    private static SearchLimits limits() {
        return SearchLimits.standard().withNodes(5_000);
    }

    private static TrainingJob job() {
        return Shown.yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: default, uid: u}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 2, pipeline: 4, data: 2}
                  scaleOut: {fabric: spine}
                """);
    }

    private static TrainingJob jobWithPods() {
        TrainingJob job = job();
        return Shown.yaml(
                TrainingJob.class,
                Serialization.asYaml(job)
                        .replaceFirst(
                                "spec:", "spec:\n  workload: {ref: {apiVersion: batch/v1, kind: Job, name: mine}}"));
    }

    static OpticalFabric spine() {
        return Shown.yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine}
                spec:
                  ocs:
                    pods:
                    - {name: a, index: 0, ports: 4, gpus: 4}
                    - {name: b, index: 1, ports: 4, gpus: 4}
                    - {name: c, index: 2, ports: 4, gpus: 4}
                    - {name: d, index: 3, ports: 4, gpus: 4}
                    topology: {logical: {}}
                """);
    }

    static OpticalSwitch opticalSwitch(String striped) {
        return opticalSwitch(striped, false);
    }

    private static OpticalSwitch opticalSwitch(String striped, boolean drained) {
        return Shown.yaml(OpticalSwitch.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: ocs-0}
                spec:
                  fabric: spine
                  driver: {endpoint: "127.0.0.1:9440", deviceId: ocs-0}
                  wiring: {striped: %s}
                  drained: %s
                """.formatted(striped, drained));
    }

    private static FabricSlice delta(String circuits) {
        return delta(circuits, "data: 2");
    }

    private static FabricSlice delta(String circuits, String data) {
        return Shown.yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: llm-spine-1-abcde, namespace: default}
                spec:
                  fabric: spine
                  job: {name: llm, uid: u, attempt: 1}
                  demand:
                    scaleOut:
                      model: {preset: gpt-7b}
                      parallelism: {tensor: 2, pipeline: 4, %s}
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
                    - {index: 1, nodes: [a], positions: [0]}
                    - {index: 2, nodes: [b], positions: [1]}
                    - {index: 3, nodes: [b], positions: [1]}
                    - {index: 4, nodes: [c], positions: [2]}
                    - {index: 5, nodes: [c], positions: [2]}
                    - {index: 6, nodes: [d], positions: [3]}
                    - {index: 7, nodes: [d], positions: [3]}
                    circuits:
                    - {switch: ocs-0, circuits: %s}
                """.formatted(data, circuits));
    }
}
