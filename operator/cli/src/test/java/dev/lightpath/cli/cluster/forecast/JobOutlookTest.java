package dev.lightpath.cli.cluster.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.console.Look;
import dev.lightpath.console.Sight;
import dev.lightpath.console.forecast.JobOutlook;
import dev.lightpath.console.forecast.NamedObjects;
import dev.lightpath.console.forecast.PlanPage;
import dev.lightpath.console.forecast.PlanReport;
import dev.lightpath.console.forecast.ScaleOutPlan;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.reading.pod.PodAttribution;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Eight free nodes of a ring in two pods, with a port for light between them each. */
class JobOutlookTest {
    private static final String ON_SWITCHES =
            "parallelism: {tensor: 8, pipeline: 2}, scaleOut: {fabric: dc, stagesPerPod: 1}";

    private final OpticalFabric ring = Shown.fabric();

    JobOutlookTest() {
        ring.setStatus(null);
    }

    @Test
    void aJobOnSwitchesIsPlannedOnWhatTheOneBeforeLeaves() {
        PlanReport report = plans(job("a", ON_SWITCHES), job("b", ON_SWITCHES));
        assertThat(report.scaleOut().getFirst().placed())
                .as(report.infeasible())
                .isTrue();
        assertThat(report.scaleOut().get(1).placed()).isFalse();
        assertThat(report.infeasible()).startsWith("default/b: InsufficientCapacity: ");
    }

    @Test
    void aJobOnARingIsPlannedOnWhatAJobOnBothFabricsLeaves() {
        String both = ON_SWITCHES + ", scaleUp: {fabric: ring-a}";
        String alone = "parallelism: {tensor: 16, data: 2}, scaleUp: {fabric: ring-a}";
        assertThat(plans(job("alone", alone)).infeasible()).isNull();
        PlanReport report = plans(job("both", "priority: 5, " + both), job("alone", alone));
        assertThat(report.scaleOut().getFirst().placed()).isTrue();
        assertThat(report.jobs().getFirst().placed()).isFalse();
        PlanReport other = plans(job("both", both), job("alone", "priority: 5, " + alone));
        assertThat(other.jobs().getFirst().placed()).isTrue();
        assertThat(other.scaleOut().getFirst().placed()).isFalse();
    }

    @Test
    void aJobOnBothFabricsWaitsForEither() {
        ring.setStatus(Shown.yaml(OpticalFabric.class, """
                status:
                  conditions:
                  - {type: Ready, status: "False", reason: MassFailure, message: too much fails, lastTransitionTime: "2026-11-21T07:00:00Z"}
                """).getStatus());
        assertThat(plans(job("both", ON_SWITCHES + ", scaleUp: {fabric: ring-a}"))
                        .scaleOut()
                        .getFirst()
                        .waitsFor())
                .isEqualTo("fabric ring-a: MassFailure: too much fails");
        assertThat(plans(job("other", ON_SWITCHES)).scaleOut().getFirst().waitsFor())
                .isNull();
    }

    /** In the words that the operator has for each. */
    @Test
    void aJobThatTheOperatorWouldNotAcceptIsNotPlaced() {
        assertThat(plans(job("dense", "parallelism: {tensor: 8, data: 2, expert: 2}, scaleUp: {fabric: ring-a}"))
                        .infeasible())
                .startsWith("default/dense: InvalidParallelism: spec.parallelism.expert is 2; the model of");
        assertThat(plans(job("odd", "parallelism: {tensor: 6}, scaleUp: {fabric: ring-a}"))
                        .infeasible())
                .startsWith("default/odd: InvalidParallelism: spec.parallelism.tensor is 6; on OpticalFabric ring-a");
        assertThat(plans(job("spine", "parallelism: {tensor: 4}, scaleUp: {fabric: dc}"))
                        .infeasible())
                .startsWith("default/spine: FabricKindMismatch: spec.scaleUp.fabric: dc has optical circuit switches");
        assertThat(plans(job("ring", "parallelism: {tensor: 4}, scaleOut: {fabric: ring-a}"))
                        .infeasible())
                .startsWith("default/ring: FabricKindMismatch: spec.scaleOut.fabric: OpticalFabric ring-a has"
                        + " transceivers");
        TrainingJob queued =
                job("queued", "parallelism: {tensor: 8, data: 2, minimumData: 1}, scaleUp: {fabric: ring-a}");
        assertThat(plans(queued).infeasible()).isNull();
        queued.getMetadata().setLabels(Map.of("kueue.x-k8s.io/queue-name", "team"));
        assertThat(plans(queued).infeasible())
                .startsWith("default/queued: NotSupported: spec.parallelism.minimumData: a job in a queue");
    }

    @Test
    void whatIsNotLookedAtOfAWorkloadIsSaid() {
        String ring = "parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}";
        assertThat(plans(job("light", ring)).notes()).isEmpty();
        assertThat(plans(job("pods", ring + ", workload: {template: {}}")).notes())
                .singleElement()
                .asString()
                .startsWith("of pods, templates and queues only what the jobs themselves say is looked at");
    }

    @Test
    void namesBothFabricsAndWhatMovesOnEach() {
        PlanReport report = plans(job("mine", ON_SWITCHES + ", scaleUp: {fabric: ring-a}"));
        ScaleOutPlan plan = report.scaleOut().getFirst();
        assertThat(plan.ring()).isNotNull();
        assertThat(plan.ring().fabric()).isEqualTo("ring-a");
        assertThat(plan.ring().moves())
                .as("two nodes with one bundle each, of two groups")
                .hasSize(4);
        assertThat(PlanPage.of(report).render())
                .startsWith("TrainingJob default/mine on fabrics ring-a and dc: would be placed\n")
                .containsPattern("\n  why: .* \\(\\S+\\)\n")
                .contains(" free nodes within reach as spares\n", "\n  light: 4 bundles change on 4 nodes, all others")
                .contains("\n  a - b: ");
    }

    @Test
    void namesBothFabricsOfAJobThatHasNoPlace() {
        String large = ON_SWITCHES.replace("tensor: 8", "tensor: 32");
        PlanReport report = plans(job("large", large + ", scaleUp: {fabric: ring-a}"));
        assertThat(report.scaleOut().getFirst().ring()).isNotNull();
        assertThat(PlanPage.of(report).render())
                .startsWith("TrainingJob default/large on fabrics ring-a and dc: would not be placed\n");
    }

    private PlanReport plans(TrainingJob... jobs) {
        List<Node> nodes = IntStream.range(0, 8)
                .mapToObj(position -> new NodeBuilder(Shown.node(position))
                        .editMetadata()
                        .addToLabels("lightpath.dev/pod", position < 4 ? "a" : "b")
                        .endMetadata()
                        .build())
                .toList();
        Look look = new Look(
                Instant.parse("2026-11-22T06:00:00Z"),
                Optional.empty(),
                List.of(ring, spine()),
                List.of(opticalSwitch()),
                List.of(),
                List.of(),
                nodes,
                List.of(),
                Map.of(),
                Sight.ALL);
        return new JobOutlook(
                        look,
                        PodAttribution.of(Stream.empty(), Map.of(), key -> null, List.of(), node -> true),
                        fabric -> Set.of(),
                        new TimedSolver(System::nanoTime),
                        new Nothing())
                .plans(List.of(jobs));
    }

    /** @param more of its spec */
    private static TrainingJob job(String name, String more) {
        return Shown.yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec: {model: {preset: gpt-7b}, %s}
                """.formatted(name, more));
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
                    - {name: a, index: 0, ports: 1, gpus: 16}
                    - {name: b, index: 1, ports: 1, gpus: 16}
                    topology: {logical: {}}
                """);
    }

    private static OpticalSwitch opticalSwitch() {
        return Shown.yaml(OpticalSwitch.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: ocs-0}
                spec:
                  fabric: dc
                  driver: {endpoint: "127.0.0.1:9440", deviceId: ocs-0}
                  wiring: {striped: {firstIngress: 1, portsPerPod: 1}}
                """);
    }

    private record Nothing() implements NamedObjects {
        @Override
        public Optional<PriorityClass> priorityClass(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<Namespace> namespace(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<ConfigMap> configMap(String namespace, String name) {
            return Optional.empty();
        }
    }
}
