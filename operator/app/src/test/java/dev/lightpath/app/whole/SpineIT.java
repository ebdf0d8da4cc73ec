package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A PolarFly of order 2: 7 racks on the 3 switches that it needs and a fourth that is spare; beside it pods of a ring
 * on two more.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpineIT {
    private Installation all;
    private SpineFabric spine;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(
                server,
                folder,
                TwoFabrics.NODES,
                ", devices: [%s], fibres: [%s]"
                        .formatted(
                                lines(SpineFabric.devices(), TwoFabrics.devices()),
                                lines(SpineFabric.fibres(), TwoFabrics.fibres())));
        spine = new SpineFabric(all);
        all.start();
    }

    private static String lines(List<String> some, List<String> more) {
        return String.join(", ", some) + ", " + String.join(", ", more);
    }

    @AfterAll
    void uninstall() throws IOException {
        try (Installation ending = all) {
            spine.remove();
        }
    }

    @Test
    @Order(1)
    void aStaticTopologyIsLitRepairedAndLeftBehind() {
        spine.describe();
        awaitWhole();
        assertThat(spine.recorded()).hasSize(SpineFabric.EDGES);
        all.eventually("the switch is told of", () -> {
            assertThat(device("ocs-0").getStatus().device().vendor()).isNotBlank();
            assertThat(device("ocs-0").getStatus().device().ports()).isEqualTo(SpineFabric.RACKS);
        });

        SortedSet<String> before = spine.recorded();
        String broken = before.first();
        String[] place = broken.split("[/-]");
        fault(FaultKind.FAULT_KIND_PORT_FAILED, "ocs-" + place[1], place[2]);
        all.eventually(
                "the circuit has another place",
                () -> assertThat(spine.recorded()).doesNotContain(broken));
        awaitWhole();
        before.removeAll(spine.recorded());
        assertThat(before).containsExactly(broken);
        heal();

        fault(FaultKind.FAULT_KIND_POWER_LOSS, "ocs-1", "");
        all.eventually("the circuits of the dead switch have moved, or it is told", () -> {
            assertThat(lit()).noneMatch(circuit -> circuit.startsWith("ocs-1/"));
            SortedSet<String> alive = spine.recorded();
            alive.removeIf(circuit -> circuit.startsWith("ocs-1/"));
            assertThat(alive).isEqualTo(lit());
            assertThat(alive.size() == SpineFabric.EDGES || spine.says("Ready").equals("False Degraded"))
                    .isTrue();
        });
        heal();
        awaitWhole();

        SortedSet<String> burning = lit();
        spine.delete();
        awaitGone();
        assertThat(lit()).isEqualTo(burning);

        OpticalFabric again = spine.fabric();
        again.getMetadata().setAnnotations(Map.of("lightpath.dev/release-on-deletion", "true"));
        all.client.resource(again).create();
        awaitWhole();
        assertThat(lit()).isEqualTo(burning);
        all.eventually(
                "the fabric waits for its light",
                () -> assertThat(spine.read().getMetadata().getFinalizers()).contains("lightpath.dev/light"));
        spine.delete();
        awaitGone();
        assertThat(lit()).isEmpty();
    }

    @Test
    @Order(2)
    void aJobOnTwoFabricsIsPredictedSharedAndRepaired() {
        new TwoFabricsStory(all).play();
    }

    private void awaitWhole() {
        all.eventually("the topology is whole", () -> {
            assertThat(spine.says("Ready")).isEqualTo("True Satisfied");
            assertThat(lit()).hasSize(SpineFabric.EDGES).isEqualTo(spine.recorded());
        });
    }

    private void awaitGone() {
        all.eventually("fabric and slice are gone", () -> {
            assertThat(spine.read()).isNull();
            assertThat(spine.slice()).isNull();
        });
    }

    private void fault(FaultKind kind, String device, String port) {
        InjectFaultRequest.Builder fault =
                InjectFaultRequest.newBuilder().setKind(kind).setDeviceId(device);
        if (!port.isEmpty()) {
            fault.setPort(port);
        }
        all.chaos.injectFault(fault.build());
    }

    private void heal() {
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        all.eventually(
                "no fault is left",
                () -> assertThat(spine.read().getStatus().faults()).isEmpty());
    }

    private OpticalSwitch device(String name) {
        return all.client.resources(OpticalSwitch.class).withName(name).get();
    }

    /** As switch/port-port, the lower port first. */
    private SortedSet<String> lit() {
        SortedSet<String> lit = new TreeSet<>();
        all.chaos.getGroundTruth(GetGroundTruthRequest.getDefaultInstance()).getDevicesList().stream()
                .filter(device -> device.getDeviceId().startsWith("ocs-"))
                .forEach(device -> device.getCircuitsList().forEach(circuit -> {
                    int in = Integer.parseInt(circuit.getIngress());
                    int out = Integer.parseInt(circuit.getEgress());
                    lit.add(device.getDeviceId() + "/" + Math.min(in, out) + "-" + Math.max(in, out));
                }));
        return lit;
    }
}
