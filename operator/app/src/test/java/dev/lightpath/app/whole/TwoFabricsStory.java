package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.SortedSet;

/**
 * A job on the ring and on two switches, another one that borrows ports of its pods and leaves, and a port that fails.
 * Whatever is predicted is played again on the circuits that the emulated switches lead.
 */
final class TwoFabricsStory {
    private static final int SWITCHES = TwoFabrics.SWITCHES;
    private static final int PORTS = TwoFabrics.PORTS;

    private final Installation all;
    private final TwoFabrics scene;

    TwoFabricsStory(Installation all) {
        this.all = all;
        this.scene = new TwoFabrics(all);
    }

    void play() {
        scene.describe();
        all.apply(
                "llm",
                "{model: {preset: gpt-7b}, parallelism: {tensor: 8, pipeline: 2, data: 2}, reconfiguration: Live,"
                        + " scaleUp: {fabric: ring-a}, scaleOut: {fabric: dc, stagesPerPod: 1}}");
        all.awaitReady("llm");
        awaitTrue("llm", 8);
        double alone = seconds("llm");
        assertThat(prediction("llm").portBudget()).isEqualTo(2 * SWITCHES * PORTS);

        all.apply(
                "guest",
                "{model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2, data: 2}, reconfiguration: Live,"
                        + " scaleOut: {fabric: dc, stagesPerPod: 1}}");
        all.awaitReady("guest");
        awaitTrue("llm", 8);
        awaitTrue("guest", 4);
        assertThat(seconds("llm")).isGreaterThan(alone);

        all.apply(
                "late",
                "{model: {preset: gpt-7b}, parallelism: {tensor: 8, pipeline: 2, data: 2},"
                        + " scaleUp: {fabric: ring-a}, scaleOut: {fabric: dc, stagesPerPod: 1}}");
        all.eventually("who finds no room is told by the fabric that has none", () -> {
            assertThat(all.says("late", "Placed")).isEqualTo("False InsufficientCapacity");
            assertThat(all.says("late", "Ready")).isEqualTo("False InsufficientCapacity");
        });
        all.delete("late");
        all.delete("guest");
        all.eventually("the ports are back", () -> assertThat(seconds("llm")).isEqualTo(alone));
        awaitTrue("llm", 8);

        String broken = scene.recorded("llm").first();
        scene.failPort(broken);
        all.eventually(
                "circuits are chosen anew",
                () -> assertThat(scene.recorded("llm")).doesNotContain(broken));
        awaitTrue("llm", 8);
        // circuits of the same number on other ports take as long
        all.eventually("it is predicted with a port less", () -> {
            assertThat(prediction("llm").portBudget()).isLessThan(2 * SWITCHES * PORTS);
            assertThat(Double.parseDouble(prediction("llm").bestSeconds())).isEqualTo(alone);
        });

        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        all.eventually("what was lost is back", () -> assertThat(seconds("llm")).isEqualTo(alone));
        awaitTrue("llm", 8);

        cutAFibre(alone);
        servedAlthoughDeleted();

        all.delete("llm");
        trafficFromARecording();
        all.eventually("nothing is left", () -> {
            assertThat(all.slices()).isEmpty();
            assertThat(scene.lit()).isEmpty();
        });
        scene.remove();
    }

    /** Between pods with several circuits, so that hearing one another on fewer ports names none of them. */
    private void cutAFibre(double alone) {
        String dark = scene.recorded("llm").first();
        int number = Integer.parseInt(dark.substring(dark.indexOf('-') + 1, dark.indexOf('/')));
        int ingress = Integer.parseInt(dark.substring(dark.indexOf('/') + 1, dark.lastIndexOf('-'))) - 1;
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_FIBRE_CUT)
                .setDeviceId("unit-" + ingress / PORTS)
                .setPort(Integer.toString(number * PORTS + ingress % PORTS + 1))
                .build());
        all.eventually(
                "the dark circuit is left",
                () -> assertThat(scene.recorded("llm")).doesNotContain(dark));
        awaitTrue("llm", 8);
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        all.eventually(
                "the mended fibre is used again",
                () -> assertThat(seconds("llm")).isEqualTo(alone));
        awaitTrue("llm", 8);
    }

    /** A slice that is deleted while its job uses it stays as it is until the job ends. */
    private void servedAlthoughDeleted() {
        SortedSet<String> circuits = scene.recorded("llm");
        double seconds = seconds("llm");
        for (FabricSlice before : all.slices()) {
            all.client.resource(before).delete();
            FabricSlice going = all.slices().stream()
                    .filter(slice ->
                            slice.getSpec().fabric().equals(before.getSpec().fabric()))
                    .findFirst()
                    .orElseThrow();
            assertThat(going.getMetadata().getDeletionTimestamp()).isNotNull();
            assertThat(going.getMetadata().getUid())
                    .isEqualTo(before.getMetadata().getUid());
        }
        all.eventually(
                "the job says so", () -> assertThat(all.says("llm", "Placed")).isEqualTo("True SliceDeleted"));
        assertThat(all.slices())
                .as("they are still there")
                .hasSize(2)
                .allSatisfy(slice -> assertThat(slice.getStatus().allocation()).isNotNull());
        assertThat(scene.recorded("llm")).isEqualTo(circuits);
        assertThat(seconds("llm")).isEqualTo(seconds);
        awaitTrue("llm", 8);
        assertThat(all.job("llm").getStatus().attempt()).isEqualTo(1);
    }

    private void trafficFromARecording() {
        all.apply(
                "traced",
                "{model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2, data: 2},"
                        + " scaleOut: {fabric: dc, stagesPerPod: 1, traffic: {configMap: recording, format: AICB}}}");
        all.eventually("the recording is missed", () -> {
            assertThat(all.says("traced", "Accepted")).isEqualTo("False InvalidTraffic");
            assertThat(message("traced", "Accepted")).contains("ConfigMap recording: there is none in namespace");
        });
        record(4);
        all.eventually(
                "it is of another job",
                () -> assertThat(message("traced", "Accepted")).contains("workload.txt:1: pp: 4, allowed: 2"));
        record(2);
        all.awaitReady("traced");
        all.eventually("it is predicted", () -> assertThat(prediction("traced")).isNotNull());
        double seconds = seconds("traced");
        all.client
                .configMaps()
                .inNamespace(namespace("traced"))
                .withName("recording")
                .delete();
        String broken = scene.recorded("traced").first();
        scene.failPort(broken);
        all.eventually("it is repaired without the recording", () -> {
            assertThat(scene.recorded("traced")).doesNotContain(broken);
            assertThat(all.says("traced", "Ready")).isEqualTo("True Satisfied");
            assertThat(seconds("traced")).isGreaterThanOrEqualTo(seconds);
        });
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        all.delete("traced");
    }

    private String namespace(String job) {
        return all.job(job).getMetadata().getNamespace();
    }

    private String message(String job, String type) {
        return all.job(job).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getMessage())
                .findFirst()
                .orElse("");
    }

    /** A workload file of two layers and four micro-batches, of so many stages. */
    private void record(int stages) {
        StringBuilder lines = new StringBuilder("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 1 pp: "
                + stages + " vpp: 1 ga: 4 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 33554432.0\n9\n"
                + "grad_gather\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLGATHER\t400000000\t100\n");
        for (int line = 0; line < 8; line++) {
            lines.append("mlp_layer\t-1\t9000000\tNONE\t0\t9000000\tNONE\t0\t9000000\tNONE\t0\t100\n");
        }
        all.client
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("recording")
                        .withNamespace(namespace("traced"))
                        .endMetadata()
                        .addToData("workload.txt", lines.toString())
                        .build())
                .serverSideApply();
    }

    /** The light of a job is what is recorded, and an iteration on it takes as long as the status says. */
    private void awaitTrue(String job, int tensor) {
        all.eventually(job + " is predicted as its light is", () -> {
            assertThat(all.says(job, "Ready")).isEqualTo("True Satisfied");
            assertThat(scene.lit()).containsAll(scene.recorded(job));
            double played = played(job, tensor);
            assertThat(seconds(job)).as("twelve digits").isCloseTo(played, within(1e-9 * played));
        });
    }

    /** Two replicas of two stages, each in a pod of its own. */
    private double played(String job, int tensor) {
        List<Integer> pods = scene.slice(job).getStatus().allocation().groups().stream()
                .map(group -> group.positions().getFirst())
                .toList();
        SortedSet<String> light = scene.recorded(job);
        light.retainAll(scene.lit());
        List<Integer> counts = List.of(
                Math.min(
                        TwoFabrics.between(light, pods.get(0), pods.get(1)),
                        TwoFabrics.between(light, pods.get(2), pods.get(3))),
                TwoFabrics.between(light, pods.get(0), pods.get(2)),
                TwoFabrics.between(light, pods.get(1), pods.get(3)));
        return new Simulator(InstanceGenerator.generate(new TrainingWorkload(
                        job,
                        Preset.GPT_7B.model(),
                        Parallelism.ofDegrees(tensor, 2, 2, 1, 1),
                        new Batch(16, 1, 4096, true),
                        new Placement(1, SWITCHES * PORTS, 400, false))))
                .makespanSeconds(new Topology(counts), Rates.JOINT);
    }

    private Prediction prediction(String job) {
        return all.job(job).getStatus().prediction();
    }

    private double seconds(String job) {
        return Double.parseDouble(prediction(job).iterationSeconds());
    }
}
