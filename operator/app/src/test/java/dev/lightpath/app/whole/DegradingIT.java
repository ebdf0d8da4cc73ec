package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.PortCounts;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A connector gets dirtier: that is told at once. The circuit of a switch leaves before light is lost, and the port
 * comes back once clean.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DegradingIT {
    /**
     * Slow enough that the light is good when its circuit leaves, though its level may still be settling at first: it
     * is told after half a minute, and too weak after two.
     */
    private static final double DB_AN_HOUR = 270;

    private Installation all;
    private SpineFabric spine;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(
                server,
                folder,
                8,
                ", devices: [%s], fibres: [%s]"
                        .formatted(String.join(", ", SpineFabric.devices()), String.join(", ", SpineFabric.fibres())));
        spine = new SpineFabric(all);
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        try (Installation ending = all) {
            spine.remove();
        }
    }

    @Test
    void aCircuitLeavesAConnectorThatGetsDirtierBeforeItsLightIsLost() {
        spine.describe();
        all.eventually("the topology is whole", () -> {
            assertThat(spine.says("Ready")).startsWith("True ");
            assertThat(spine.recorded()).hasSize(SpineFabric.EDGES);
        });

        String victim = spine.recorded().first();
        String[] place = victim.split("[/-]");
        String port = "port/ocs-" + place[1] + "/" + place[2];
        getsDirtier("ocs-" + place[1], place[2]);
        awaitTold(SpineFabric.NAME, "ocs-" + place[1] + "/" + place[2]);
        assertThat(spine.recorded()).as("it is only observed").contains(victim);
        awaitDegraded("ocs-" + place[1], 1);
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        awaitWell(SpineFabric.NAME);
        awaitDegraded("ocs-" + place[1], 0);

        all.client
                .resources(OpticalFabric.class)
                .withName("spine")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"policy\":{\"opticalHealth\":{\"mode\":\"TakeOut\"}}}}");
        getsDirtier("ocs-" + place[1], place[2]);
        Set<String> reasons = new HashSet<>();
        all.eventually("the circuit has another place", () -> {
            status().faults().forEach(fault -> reasons.add(fault.reason()));
            assertThat(spine.recorded()).hasSize(SpineFabric.EDGES).doesNotContain(victim);
        });
        all.eventually("it is told", () -> {
            OpticalFabricStatus told = status();
            told.faults().forEach(fault -> reasons.add(fault.reason()));
            assertThat(told.faults()).extracting(FaultRecord::subject).contains(port);
            assertThat(told.opticalHealth().takenOutPorts()).isPositive();
        });
        // light was never too weak, and never lost
        assertThat(reasons).containsExactly("Degrading");
        all.eventually(
                "all is well without it", () -> assertThat(spine.says("Ready")).startsWith("True "));

        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        all.eventually("the port is back", () -> {
            assertThat(status().faults()).isEmpty();
            assertThat(status().opticalHealth().takenOutPorts()).isZero();
            assertThat(spine.says("Ready")).startsWith("True ");
        });
    }

    @Test
    void aRingTellsOfLightThatGetsWorseThoughNothingElseHappens() {
        all.apply("all", "{model: {preset: gpt-7b}, parallelism: {tensor: 32}, scaleUp: {fabric: ring-a}}");
        all.awaitReady("all");
        for (String port : List.of("b0.path1", "b1.path1")) {
            getsDirtier("n1", port);
        }
        awaitTold("ring-a", "n1/b");
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        awaitWell("ring-a");
        all.client.resources(TrainingJob.class).inNamespace("default").delete();
        all.awaitNothingLeft();
    }

    private void getsDirtier(String device, String port) {
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_LOSS_DRIFT)
                .setDeviceId(device)
                .setPort(port)
                .setValue(DB_AN_HOUR)
                .build());
    }

    /** Before any fault, which would have the status written. */
    private void awaitTold(String fabric, String port) {
        all.eventually("it is told that " + port + " gets worse", () -> {
            assertThat(status(fabric).opticalHealth().degradingPorts()).isPositive();
            assertThat(status(fabric).opticalHealth().ports())
                    .anyMatch(each -> each.port().startsWith(port));
            assertThat(status(fabric).faults()).isEmpty();
        });
    }

    private void awaitDegraded(String name, int ports) {
        all.eventually(ports + " ports of the switch get worse", () -> {
            PortCounts told = all.client
                    .resources(OpticalSwitch.class)
                    .withName(name)
                    .get()
                    .getStatus()
                    .ports();
            assertThat(told.degraded()).isEqualTo(ports);
            assertThat(told.healthy() + told.degraded() + told.failed()).isEqualTo(told.total());
        });
    }

    private void awaitWell(String fabric) {
        all.eventually("all ports are well", () -> {
            assertThat(status(fabric).opticalHealth().degradingPorts()).isZero();
            assertThat(status(fabric).faults()).isEmpty();
        });
    }

    private OpticalFabricStatus status() {
        return status(SpineFabric.NAME);
    }

    private OpticalFabricStatus status(String fabric) {
        return all.client.resources(OpticalFabric.class).withName(fabric).get().getStatus();
    }
}
