package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A connector gets dirtier: that is told at once. The circuit of a switch leaves before light is lost, and the port comes
 * back once clean.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DegradingIT {
    private static final int RACKS = 7;
    private static final int SWITCHES = 4;
    private static final int EDGES = 9;
    /**
     * Slow enough that the light is good when its circuit leaves, though its level may still be settling at first: it is told
     * after half a minute, and too weak after two.
     */
    private static final double DB_AN_HOUR = 270;

    private Installation all;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        List<String> fibres = new ArrayList<>();
        for (int rack = 0; rack < RACKS; rack++) {
            for (int of = 0; of < SWITCHES; of++) {
                fibres.add("{a: rack-%d/%d, b: ocs-%d/%d}".formatted(rack, of + 1, of, rack + 1));
            }
        }
        all = new Installation(
                server,
                folder,
                8,
                (", devices: [{id: rack-, count: %d, kind: endpoints, ports: %d},"
                                + " {id: ocs-, count: %d, kind: switch, ports: %d, twoSided: false, preset: mems}],"
                                + " fibres: [%s]")
                        .formatted(RACKS, SWITCHES, SWITCHES, RACKS, String.join(", ", fibres)));
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.client.resources(OpticalSwitch.class).delete();
        all.client.resources(FabricSlice.class).inAnyNamespace().delete();
        all.close();
    }

    @Test
    void aCircuitLeavesAConnectorThatGetsDirtierBeforeItsLightIsLost() {
        for (int of = 0; of < SWITCHES; of++) {
            all.client.resource(opticalSwitch(of)).create();
        }
        all.client.resource(fabric()).create();
        all.eventually("the topology is whole", () -> {
            assertThat(ready()).isEqualTo("True");
            assertThat(recorded()).hasSize(EDGES);
        });

        String victim = recorded().first();
        String[] place = victim.split("[/-]");
        String port = "port/ocs-" + place[1] + "/" + place[2];
        getsDirtier("ocs-" + place[1], place[2]);
        awaitTold("spine", "ocs-" + place[1] + "/" + place[2]);
        assertThat(recorded()).as("it is only observed").contains(victim);
        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        awaitWell("spine");

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
            assertThat(recorded()).hasSize(EDGES).doesNotContain(victim);
        });
        all.eventually("it is told", () -> {
            OpticalFabricStatus told = status();
            told.faults().forEach(fault -> reasons.add(fault.reason()));
            assertThat(told.faults()).extracting(FaultRecord::subject).contains(port);
            assertThat(told.opticalHealth().takenOutPorts()).isPositive();
        });
        // light was never too weak, and never lost
        assertThat(reasons).containsExactly("Degrading");
        all.eventually("all is well without it", () -> assertThat(ready()).isEqualTo("True"));

        all.chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        all.eventually("the port is back", () -> {
            assertThat(status().faults()).isEmpty();
            assertThat(status().opticalHealth().takenOutPorts()).isZero();
            assertThat(ready()).isEqualTo("True");
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

    private void awaitWell(String fabric) {
        all.eventually("all ports are well", () -> {
            assertThat(status(fabric).opticalHealth().degradingPorts()).isZero();
            assertThat(status(fabric).faults()).isEmpty();
        });
    }

    private OpticalFabricStatus status() {
        return status("spine");
    }

    private OpticalFabricStatus status(String fabric) {
        return all.client.resources(OpticalFabric.class).withName(fabric).get().getStatus();
    }

    private String ready() {
        OpticalFabricStatus status = status();
        return status == null
                ? ""
                : status.conditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .map(condition -> condition.getStatus())
                        .findFirst()
                        .orElse("");
    }

    /** As switch/port-port. */
    private SortedSet<String> recorded() {
        FabricSlice slice = all.client
                .resources(FabricSlice.class)
                .inNamespace("lightpath-system")
                .withName("spine-topology")
                .get();
        return slice == null || slice.getStatus() == null || slice.getStatus().allocation() == null
                ? new TreeSet<>()
                : slice.getStatus().allocation().circuits().stream()
                        .flatMap(of -> of.circuits().stream().map(circuit -> of.opticalSwitch() + "/" + circuit))
                        .collect(Collectors.toCollection(TreeSet::new));
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
