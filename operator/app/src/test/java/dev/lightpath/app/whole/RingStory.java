package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The lives of a job on the ring. */
final class RingStory {
    static final String JOB = "llm";
    private static final int PODS = 2;
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Installation all;
    private String broken = "";
    /** UID of a slice. */
    private String deleted = "";

    RingStory(Installation all) {
        this.all = all;
    }

    /**
     * Light alone: placed, a transceiver fails and recovers, its slice is deleted by hand and repaired all the same,
     * what broke recovers, suspended, resumed, deleted.
     */
    List<Act> ofLight() {
        return List.of(
                new Act("place", () -> apply(""), () -> shines(4)),
                new Act("a port fails", this::breakPort, () -> {
                    assertThat(faults()).isNotEmpty();
                    assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
                    assertThat(members()).hasSize(4);
                }),
                new Act("the port recovers", this::healPort, () -> {
                    shines(4);
                    assertNoFaults();
                }),
                Act.still("somebody deletes its slice", this::deleteSlice, () -> {
                    assertDeleted();
                    shines(4);
                }),
                new Act("repair", this::breakNode, () -> {
                    assertDeleted();
                    repaired();
                }),
                new Act("recover", this::healNode, () -> {
                    assertDeleted();
                    shines(4);
                    assertNoFaults();
                }),
                new Act("suspend", () -> suspend(true), () -> {
                    assertThat(all.says(JOB, "Accepted")).isEqualTo("False Suspended");
                    assertThat(slices()).isEmpty();
                    all.assertLightAsRecorded();
                }),
                new Act("resume", () -> suspend(false), () -> shines(4)),
                new Act("delete", () -> all.delete(JOB), this::gone));
    }

    /** With pods behind their gate: let go, completed and released, deleted. */
    List<Act> withPods() {
        return List.of(
                new Act("place with pods", this::applyWithPods, () -> {
                    assertThat(pods())
                            .hasSize(PODS)
                            .allSatisfy(pod -> assertThat(pod.getSpec().getSchedulingGates())
                                    .isEmpty());
                    all.assertLightAsRecorded();
                }),
                new Act("release", this::complete, () -> {
                    assertThat(all.says(JOB, "Complete")).startsWith("True");
                    assertThat(slices()).isEmpty();
                    all.assertLightAsRecorded();
                }),
                new Act("delete with pods", this::deleteWithPods, this::gone));
    }

    /** Another device of the same model stands in the place of one that is lit: it begins in loopback. */
    List<Act> ofReplacedDevice() {
        return List.of(
                new Act("place before a replacement", () -> apply(""), () -> shines(4)),
                new Act("a device is replaced", this::replaceDevice, () -> shines(4)),
                new Act("delete after a replacement", () -> all.delete(JOB), this::gone));
    }

    private void replaceDevice() {
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_DEVICE_REPLACED)
                .setDeviceId(members().get(1))
                .build());
    }

    private void apply(String more) {
        all.apply(JOB, "{model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: ring-a}" + more + "}");
    }

    private void shines(int nodes) {
        assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
        assertThat(members()).hasSize(nodes);
        all.assertLightAsRecorded();
    }

    private void breakNode() {
        broken = members().getFirst();
        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));
    }

    private void repaired() {
        shines(4);
        assertThat(members()).doesNotContain(broken);
    }

    private void healNode() {
        all.heal(broken);
        clearFaults();
    }

    /** The far reach of a member that uses it, if one does; else any path in use. */
    private void breakPort() {
        String used = RingTruth.measured(all.chaos).entrySet().stream()
                .filter(path -> path.getKey().startsWith(members().get(1) + "/")
                        && path.getValue().startsWith("path"))
                .map(path -> path.getKey() + "." + path.getValue())
                .findFirst()
                .orElseThrow();
        broken = used.substring(0, used.indexOf('/'));
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_PORT_FAILED)
                .setDeviceId(broken)
                .setPath(used.substring(used.indexOf('/') + 1))
                .build());
    }

    /** What fails in every life would be quarantined for failing too often. */
    private void healPort() {
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        clearFaults();
    }

    private void clearFaults() {
        all.mark(broken, Map.of("lightpath.dev/clear-fault", Instant.now().toString()));
    }

    private void deleteSlice() {
        FabricSlice slice = slices().getFirst();
        deleted = slice.getMetadata().getUid();
        all.client.resource(slice).delete();
    }

    /** It stays Terminating, and its job says so. */
    private void assertDeleted() {
        assertThat(slices()).singleElement().satisfies(slice -> {
            assertThat(slice.getMetadata().getUid()).isEqualTo(deleted);
            assertThat(slice.getMetadata().getDeletionTimestamp()).isNotNull();
        });
        assertThat(all.says(JOB, "Placed")).isEqualTo("True SliceDeleted");
    }

    private void suspend(boolean suspended) {
        all.client
                .resources(TrainingJob.class)
                .inNamespace("default")
                .withName(JOB)
                .patch(MERGE, "{\"spec\":{\"suspend\":" + suspended + "}}");
    }

    private void gone() {
        assertThat(all.job(JOB)).isNull();
        assertThat(slices()).isEmpty();
        assertThat(pods()).isEmpty();
        all.assertLightAsRecorded();
    }

    private void applyWithPods() {
        Job job = all.client
                .resource(all.client.getKubernetesSerialization().unmarshal("""
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: %s, namespace: default}
                        spec:
                          completions: %d
                          parallelism: %d
                          completionMode: Indexed
                          template:
                            spec:
                              restartPolicy: Never
                              schedulingGates: [{name: lightpath.dev/circuits}]
                              containers: [{name: train, image: example/train}]
                        """.formatted(JOB, PODS, PODS), Job.class))
                .create();
        for (int index = 0; index < PODS; index++) {
            all.client
                    .resource(all.client
                            .getKubernetesSerialization()
                            .unmarshal(
                                    """
                            apiVersion: v1
                            kind: Pod
                            metadata:
                              name: %1$s-%2$d
                              namespace: default
                              labels: {job-name: %1$s, batch.kubernetes.io/job-name: %1$s, batch.kubernetes.io/controller-uid: %3$s}
                              annotations: {batch.kubernetes.io/job-completion-index: "%2$d"}
                              ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %1$s, uid: %3$s, controller: true}]
                            spec:
                              restartPolicy: Never
                              schedulingGates: [{name: lightpath.dev/circuits}]
                              containers: [{name: train, image: example/train}]
                            """.formatted(JOB, index, job.getMetadata().getUid()), Pod.class))
                    .create();
        }
        all.apply(
                JOB,
                "{model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a},"
                        + " workload: {ref: {apiVersion: batch/v1, kind: Job, name: " + JOB + "}}}");
    }

    private void complete() {
        String now = Instant.now().toString();
        for (Pod pod : pods()) {
            all.client
                    .pods()
                    .resource(pod)
                    .subresource("status")
                    .patch(MERGE, "{\"status\":{\"phase\":\"Succeeded\"}}");
        }
        all.client
                .batch()
                .v1()
                .jobs()
                .inNamespace("default")
                .withName(JOB)
                .subresource("status")
                .patch(MERGE, """
                        {"status":{"startTime":"%1$s","completionTime":"%1$s","succeeded":%2$d,"completedIndexes":"0-%3$d","conditions":[
                        {"type":"SuccessCriteriaMet","status":"True","lastTransitionTime":"%1$s","lastProbeTime":"%1$s"},
                        {"type":"Complete","status":"True","lastTransitionTime":"%1$s","lastProbeTime":"%1$s"}]}}
                        """.formatted(now, PODS, PODS - 1));
    }

    private void deleteWithPods() {
        all.delete(JOB);
        all.client
                .batch()
                .v1()
                .jobs()
                .inNamespace("default")
                .withName(JOB)
                .withGracePeriod(0)
                .delete();
        pods().forEach(pod -> all.client.pods().resource(pod).withGracePeriod(0).delete());
    }

    private List<Pod> pods() {
        return all.client
                .pods()
                .inNamespace("default")
                .withLabel("job-name", JOB)
                .list()
                .getItems();
    }

    private List<FabricSlice> slices() {
        return all.slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals(JOB))
                .toList();
    }

    List<String> members() {
        List<FabricSlice> slices = slices();
        assertThat(slices).hasSize(1);
        return slices.getFirst().getStatus().allocation().groups().getFirst().nodes();
    }

    private List<?> faults() {
        return all.client
                .resources(dev.lightpath.crds.fabric.OpticalFabric.class)
                .withName("ring-a")
                .get()
                .getStatus()
                .faults();
    }

    private void assertNoFaults() {
        assertThat(faults()).isEmpty();
    }
}
