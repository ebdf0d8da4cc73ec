package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.api.model.Condition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A PolarFly of order 2: 7 racks on the 3 switches that it needs and a fourth that is spare; beside it pods of a ring on two more. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpineIT {
    private static final int RACKS = 7;
    private static final int SWITCHES = 4;
    private static final int EDGES = 9;

    private Installation all;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        List<String> fibres = new ArrayList<>();
        for (int rack = 0; rack < RACKS; rack++) {
            for (int of = 0; of < SWITCHES; of++) {
                fibres.add("{a: rack-%d/%d, b: ocs-%d/%d}".formatted(rack, of + 1, of, rack + 1));
            }
        }
        fibres.addAll(TwoFabrics.fibres());
        all = new Installation(
                server,
                folder,
                TwoFabrics.NODES,
                (", devices: [{id: rack-, count: %d, kind: endpoints, ports: %d},"
                                + " {id: ocs-, count: %d, kind: switch, ports: %d, twoSided: false, preset: mems}, %s],"
                                + " fibres: [%s]")
                        .formatted(
                                RACKS,
                                SWITCHES,
                                SWITCHES,
                                RACKS,
                                String.join(", ", TwoFabrics.devices()),
                                String.join(", ", fibres)));
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.client.resources(OpticalSwitch.class).delete();
        all.client.resources(FabricSlice.class).inAnyNamespace().delete();
        all.close();
    }

    @Test
    @Order(1)
    void aStaticTopologyIsLitRepairedAndLeftBehind() {
        for (int of = 0; of < SWITCHES; of++) {
            all.client.resource(opticalSwitch(of)).create();
        }
        all.client.resource(fabric()).create();
        awaitWhole();
        assertThat(recorded()).hasSize(EDGES);
        all.eventually("the switch is told of", () -> {
            assertThat(device("ocs-0").getStatus().device().vendor()).isNotBlank();
            assertThat(device("ocs-0").getStatus().device().ports()).isEqualTo(RACKS);
        });

        SortedSet<String> before = recorded();
        String broken = before.first();
        String[] place = broken.split("[/-]");
        fault(FaultKind.FAULT_KIND_PORT_FAILED, "ocs-" + place[1], place[2]);
        all.eventually(
                "the circuit has another place", () -> assertThat(recorded()).doesNotContain(broken));
        awaitWhole();
        before.removeAll(recorded());
        assertThat(before).containsExactly(broken);
        heal();

        fault(FaultKind.FAULT_KIND_POWER_LOSS, "ocs-1", "");
        all.eventually("the circuits of the dead switch have moved, or it is told", () -> {
            assertThat(lit()).noneMatch(circuit -> circuit.startsWith("ocs-1/"));
            SortedSet<String> alive = recorded();
            alive.removeIf(circuit -> circuit.startsWith("ocs-1/"));
            assertThat(alive).isEqualTo(lit());
            assertThat(alive.size() == EDGES || says("Ready").equals("False Degraded"))
                    .isTrue();
        });
        heal();
        awaitWhole();

        SortedSet<String> burning = lit();
        all.client.resources(OpticalFabric.class).withName("spine").delete();
        awaitGone();
        assertThat(lit()).isEqualTo(burning);

        OpticalFabric again = fabric();
        again.getMetadata().setAnnotations(Map.of("lightpath.dev/release-on-deletion", "true"));
        all.client.resource(again).create();
        awaitWhole();
        assertThat(lit()).isEqualTo(burning);
        all.eventually(
                "the fabric waits for its light",
                () -> assertThat(all.client
                                .resources(OpticalFabric.class)
                                .withName("spine")
                                .get()
                                .getMetadata()
                                .getFinalizers())
                        .contains("lightpath.dev/light"));
        all.client.resources(OpticalFabric.class).withName("spine").delete();
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
            assertThat(says("Ready")).isEqualTo("True Satisfied");
            assertThat(lit()).hasSize(EDGES).isEqualTo(recorded());
        });
    }

    private void awaitGone() {
        all.eventually("fabric and slice are gone", () -> {
            assertThat(all.client
                            .resources(OpticalFabric.class)
                            .withName("spine")
                            .get())
                    .isNull();
            assertThat(slice()).isNull();
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
                () -> assertThat(all.client
                                .resources(OpticalFabric.class)
                                .withName("spine")
                                .get()
                                .getStatus()
                                .faults())
                        .isEmpty());
    }

    private String says(String type) {
        OpticalFabric fabric =
                all.client.resources(OpticalFabric.class).withName("spine").get();
        return fabric == null || fabric.getStatus() == null
                ? ""
                : fabric.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .map(SpineIT::word)
                        .findFirst()
                        .orElse("");
    }

    private static String word(Condition condition) {
        return condition.getStatus() + " " + condition.getReason();
    }

    private OpticalSwitch device(String name) {
        return all.client.resources(OpticalSwitch.class).withName(name).get();
    }

    private FabricSlice slice() {
        return all.client
                .resources(FabricSlice.class)
                .inNamespace("lightpath-system")
                .withName("spine-topology")
                .get();
    }

    /** As switch/port-port, the lower port first. */
    private SortedSet<String> recorded() {
        return slice().getStatus().allocation().circuits().stream()
                .flatMap(of -> of.circuits().stream().map(circuit -> of.opticalSwitch() + "/" + circuit))
                .collect(Collectors.toCollection(TreeSet::new));
    }

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

    private OpticalSwitch opticalSwitch(int number) {
        return all.client
                .getKubernetesSerialization()
                .unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: ocs-%d}
                spec:
                  fabric: spine
                  driver: {endpoint: "%s", deviceId: ocs-%d}
                  plane: %d
                  wiring: {striped: {firstIngress: 1, portsPerPod: 1}}
                """.formatted(number, all.driver(), number, number), OpticalSwitch.class);
    }

    private OpticalFabric fabric() {
        StringBuilder pods = new StringBuilder();
        for (int rack = 0; rack < RACKS; rack++) {
            pods.append("{name: rack-%d, index: %d, ports: %d, gpus: 8}, ".formatted(rack, rack, SWITCHES));
        }
        return all.client.getKubernetesSerialization().unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine}
                spec:
                  ocs: {gpusPerNode: 4, topology: {polarFly: {order: 2}}, pods: [%s]}
                  policy: {faults: {clearSeconds: 1}, massFailure: {percent: 100}}
                """.formatted(pods), OpticalFabric.class);
    }
}
