package dev.lightpath.app.whole;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Four pods of a ring's nodes on two switches, as fabric `dc`: what there is, what is recorded, and what light does.
 */
final class TwoFabrics {
    static final int NODES = 16;
    static final int SWITCHES = 2;
    /** Of a pod on a switch. */
    static final int PORTS = 2;

    static final int PODS = 4;
    private static final int EGRESS = PODS * PORTS;
    static final String FABRIC = "dc";

    private final Installation all;

    TwoFabrics(Installation all) {
        this.all = all;
    }

    /** Lines of the emulator's scenario: devices, then fibres. */
    static List<String> devices() {
        return List.of(
                "{id: unit-, count: %d, kind: endpoints, ports: %d}".formatted(PODS, SWITCHES * PORTS),
                "{id: sw-, count: %d, kind: switch, ports: %d, twoSided: true, preset: mems}"
                        .formatted(SWITCHES, 2 * EGRESS));
    }

    static List<String> fibres() {
        List<String> fibres = new ArrayList<>();
        for (int pod = 0; pod < PODS; pod++) {
            for (int end = 0; end < SWITCHES * PORTS; end++) {
                int port = 1 + pod * PORTS + end % PORTS;
                fibres.add("{from: unit-%d/%d, to: sw-%d/%d}".formatted(pod, end + 1, end / PORTS, port));
                fibres.add("{from: sw-%d/%d, to: unit-%d/%d}".formatted(end / PORTS, EGRESS + port, pod, end + 1));
            }
        }
        return fibres;
    }

    /** Goes on with the emulator's scenario where its ring ends. */
    static String scenario() {
        return ", devices: [%s], fibres: [%s]".formatted(String.join(", ", devices()), String.join(", ", fibres()));
    }

    /** Labels the nodes, and creates the switches and their fabric. */
    void describe() {
        for (int node = 0; node < NODES; node++) {
            int pod = node * PODS / NODES;
            all.client
                    .nodes()
                    .withName("n" + node)
                    .edit(read -> new NodeBuilder(read)
                            .editMetadata()
                            .addToLabels("lightpath.dev/pod", "unit-" + pod)
                            .endMetadata()
                            .build());
        }
        for (int number = 0; number < SWITCHES; number++) {
            all.client
                    .resource(all.client
                            .getKubernetesSerialization()
                            .unmarshal(
                                    """
                    apiVersion: lightpath.dev/v1alpha1
                    kind: OpticalSwitch
                    metadata: {name: sw-%d}
                    spec:
                      fabric: %s
                      driver: {endpoint: "%s", deviceId: sw-%d}
                      wiring: {striped: {firstIngress: 1, firstEgress: %d, portsPerPod: %d}}
                    """.formatted(number, FABRIC, all.driver(), number, 1 + EGRESS, PORTS),
                                    OpticalSwitch.class))
                    .create();
        }
        StringBuilder pods = new StringBuilder();
        for (int pod = 0; pod < PODS; pod++) {
            pods.append("{name: unit-%d, index: %d, ports: %d, gpus: %d}, "
                    .formatted(pod, pod, SWITCHES * PORTS, 4 * NODES / PODS));
        }
        all.client
                .resource(all.client
                        .getKubernetesSerialization()
                        .unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: %s}
                spec:
                  ocs: {gpusPerNode: 4, topology: {logical: {}}, pods: [%s]}
                  policy: {faults: {clearSeconds: 1}, massFailure: {percent: 100}}
                """.formatted(FABRIC, pods), OpticalFabric.class))
                .create();
    }

    /** Takes away what was described. */
    void remove() {
        all.client.resources(OpticalFabric.class).withName(FABRIC).delete();
        for (int number = 0; number < SWITCHES; number++) {
            all.client.resources(OpticalSwitch.class).withName("sw-" + number).delete();
        }
    }

    /** Where the light of this circuit enters its switch nothing passes any more. */
    void failPort(String circuit) {
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_PORT_FAILED)
                .setDeviceId(circuit.substring(0, circuit.indexOf('/')))
                .setPort(circuit.substring(circuit.indexOf('/') + 1, circuit.lastIndexOf('-')))
                .build());
    }

    /** Circuits that two pods have both ways. */
    static int between(SortedSet<String> light, int a, int b) {
        int[] ways = new int[2];
        for (String circuit : light) {
            String[] ports = circuit.substring(circuit.indexOf('/') + 1).split("-");
            int from = (Integer.parseInt(ports[0]) - 1) / PORTS;
            int to = (Integer.parseInt(ports[1]) - EGRESS - 1) / PORTS;
            ways[0] += from == a && to == b ? 1 : 0;
            ways[1] += from == b && to == a ? 1 : 0;
        }
        return Math.min(ways[0], ways[1]);
    }

    /** Of a job, on the switches. */
    FabricSlice slice(String job) {
        return all.slices().stream()
                .filter(slice -> slice.getSpec().fabric().equals(FABRIC)
                        && slice.getSpec().job().name().equals(job))
                .findFirst()
                .orElseThrow();
    }

    /** As switch/ingress-egress. */
    SortedSet<String> recorded(String job) {
        SortedSet<String> recorded = new TreeSet<>();
        slice(job)
                .getStatus()
                .allocation()
                .circuits()
                .forEach(of -> of.circuits().forEach(circuit -> recorded.add(of.opticalSwitch() + "/" + circuit)));
        return recorded;
    }

    /** The same of what light does. */
    SortedSet<String> lit() {
        SortedSet<String> lit = new TreeSet<>();
        all.chaos.getGroundTruth(GetGroundTruthRequest.getDefaultInstance()).getDevicesList().stream()
                .filter(device -> device.getDeviceId().startsWith("sw-"))
                .forEach(device -> device.getCircuitsList()
                        .forEach(circuit -> lit.add(
                                device.getDeviceId() + "/" + circuit.getIngress() + "-" + circuit.getEgress())));
        return lit;
    }
}
