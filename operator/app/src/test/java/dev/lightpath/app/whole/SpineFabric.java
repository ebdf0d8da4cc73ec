package dev.lightpath.app.whole;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A PolarFly of order 2 as fabric `spine`: 7 racks on the 3 switches that it needs and a fourth that is spare. */
final class SpineFabric {
    static final String NAME = "spine";
    static final int RACKS = 7;
    static final int EDGES = 9;
    private static final int SWITCHES = 4;

    private final Installation all;

    SpineFabric(Installation all) {
        this.all = all;
    }

    /** Lines of the emulator's scenario: devices, then fibres. */
    static List<String> devices() {
        return List.of(
                "{id: rack-, count: %d, kind: endpoints, ports: %d}".formatted(RACKS, SWITCHES),
                "{id: ocs-, count: %d, kind: switch, ports: %d, twoSided: false, preset: mems}"
                        .formatted(SWITCHES, RACKS));
    }

    static List<String> fibres() {
        List<String> fibres = new ArrayList<>();
        for (int rack = 0; rack < RACKS; rack++) {
            for (int of = 0; of < SWITCHES; of++) {
                fibres.add("{a: rack-%d/%d, b: ocs-%d/%d}".formatted(rack, of + 1, of, rack + 1));
            }
        }
        return fibres;
    }

    /** Creates the switches and their fabric. */
    void describe() {
        for (int number = 0; number < SWITCHES; number++) {
            all.client
                    .resource(all.client
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
                    """.formatted(number, all.driver(), number, number), OpticalSwitch.class))
                    .create();
        }
        all.client.resource(fabric()).create();
    }

    /** As it is to be created. */
    OpticalFabric fabric() {
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

    /** Null: there is none. */
    @Nullable
    OpticalFabric read() {
        return all.client.resources(OpticalFabric.class).withName(NAME).get();
    }

    void delete() {
        all.client.resources(OpticalFabric.class).withName(NAME).delete();
    }

    /** Takes away what is left of it. */
    void remove() {
        all.client.resources(OpticalSwitch.class).delete();
        all.client.resources(FabricSlice.class).inAnyNamespace().delete();
    }

    /** Status and reason of a condition, empty before there is one. */
    String says(String type) {
        OpticalFabric fabric = read();
        OpticalFabricStatus status = fabric == null ? null : fabric.getStatus();
        return status == null || status.conditions() == null
                ? ""
                : status.conditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .map(condition -> condition.getStatus() + " " + condition.getReason())
                        .findFirst()
                        .orElse("");
    }

    /** Of its topology; null: there is none. */
    @Nullable
    FabricSlice slice() {
        return all.client
                .resources(FabricSlice.class)
                .inNamespace(Installation.SYSTEM)
                .withName("spine-topology")
                .get();
    }

    /** As switch/port-port, the lower port first; none before there is a record. */
    SortedSet<String> recorded() {
        FabricSlice slice = slice();
        return slice == null || slice.getStatus() == null || slice.getStatus().allocation() == null
                ? new TreeSet<>()
                : slice.getStatus().allocation().circuits().stream()
                        .flatMap(of -> of.circuits().stream().map(circuit -> of.opticalSwitch() + "/" + circuit))
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
