package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The life of a job on the ring and on switches. */
final class SpineStory {
    static final String JOB = "both";
    static final String GUEST = "guest";
    private static final String DEAD = "sw-1";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Installation all;
    private final TwoFabrics scene;
    private String broken = "";
    private int whole;
    /** UIDs of slices. */
    private Set<String> deleted = Set.of();

    SpineStory(Installation all, TwoFabrics scene) {
        this.all = all;
        this.scene = scene;
    }

    /**
     * Placed and lit on both fabrics, circuits given up for a guest, a port that fails and recovers, the guest leaves,
     * both slices are deleted by hand and served all the same, a whole switch that fails and recovers, deleted.
     */
    List<Act> acts() {
        return List.of(
                new Act(
                        "place on both fabrics",
                        () -> all.apply(
                                JOB,
                                "{model: {preset: gpt-7b}, parallelism: {tensor: 8, pipeline: 2, data: 2}, reconfiguration: Live,"
                                        + " scaleUp: {fabric: ring-a}, scaleOut: {fabric: dc, stagesPerPod: 1}}"),
                        () -> shines(JOB)),
                new Act(
                        "a guest arrives",
                        () -> all.apply(
                                GUEST,
                                "{model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2}, reconfiguration: Live,"
                                        + " scaleOut: {fabric: dc, stagesPerPod: 1}}"),
                        this::bothShine),
                new Act("a port of a switch fails", this::breakPort, () -> {
                    bothShine();
                    assertThat(scene.recorded(JOB)).doesNotContain(broken);
                }),
                new Act("the port of the switch recovers", this::heal, () -> {
                    shines(GUEST);
                    recovered();
                }),
                new Act("the guest leaves", () -> all.delete(GUEST), () -> {
                    assertThat(all.job(GUEST)).isNull();
                    shines(JOB);
                    assertThat(scene.recorded(JOB)).hasSizeGreaterThan(whole);
                }),
                Act.still("somebody deletes both slices", this::deleteSlices, () -> {
                    assertDeleted();
                    shines(JOB);
                }),
                new Act(
                        "a switch loses its power",
                        this::breakSwitch,
                        () -> {
                            assertDeleted();
                            shines(JOB);
                            assertThat(scene.recorded(JOB)).noneMatch(circuit -> circuit.startsWith(DEAD));
                        },
                        Pattern.compile(" releases .*" + DEAD)),
                new Act("the switch has power again", this::heal, this::recovered),
                new Act("delete on both fabrics", () -> all.delete(JOB), () -> {
                    assertThat(all.job(JOB)).isNull();
                    assertThat(slices()).isEmpty();
                }));
    }

    private void shines(String job) {
        assertThat(all.says(job, "Ready")).isEqualTo("True Satisfied");
        assertThat(scene.lit()).containsAll(scene.recorded(job));
        all.assertLightAsRecorded();
    }

    private List<FabricSlice> slices() {
        return all.slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals(JOB))
                .toList();
    }

    private void deleteSlices() {
        List<FabricSlice> slices = slices();
        deleted = slices.stream().map(slice -> slice.getMetadata().getUid()).collect(Collectors.toUnmodifiableSet());
        slices.forEach(slice -> all.client.resource(slice).delete());
    }

    /** Both stay Terminating, and their job says so. */
    private void assertDeleted() {
        assertThat(slices())
                .hasSize(2)
                .allMatch(slice -> slice.getMetadata().getDeletionTimestamp() != null
                        && deleted.contains(slice.getMetadata().getUid()));
        assertThat(all.says(JOB, "Placed")).isEqualTo("True SliceDeleted");
    }

    private void bothShine() {
        shines(JOB);
        shines(GUEST);
    }

    private void recovered() {
        shines(JOB);
        assertThat(scene.recorded(JOB)).hasSize(whole);
        assertThat(all.client
                        .resources(OpticalFabric.class)
                        .withName("dc")
                        .get()
                        .getStatus()
                        .faults())
                .isEmpty();
    }

    private void breakPort() {
        broken = new TreeSet<>(scene.recorded(JOB)).first();
        whole = scene.recorded(JOB).size();
        scene.failPort(broken);
    }

    private void breakSwitch() {
        whole = scene.recorded(JOB).size();
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_POWER_LOSS)
                .setDeviceId(DEAD)
                .build());
    }

    /** What fails in every life would be quarantined for failing too often. */
    private void heal() {
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        for (int number = 0; number < TwoFabrics.SWITCHES; number++) {
            all.client
                    .resources(OpticalSwitch.class)
                    .withName("sw-" + number)
                    .patch(
                            MERGE,
                            "{\"metadata\":{\"annotations\":{\"" + LightpathAnnotations.CLEAR_FAULT + "\":\""
                                    + Instant.now() + "\"}}}");
        }
    }
}
