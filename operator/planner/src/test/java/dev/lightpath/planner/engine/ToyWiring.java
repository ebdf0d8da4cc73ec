package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Pods and switches of a {@link ToyOcs}, and the fibres between them. */
public final class ToyWiring {
    final List<OcsPod> pods = new ArrayList<>();
    final SortedMap<String, OcsSwitch> switches = new TreeMap<>();

    ToyWiring(int podCount, int switchCount, DeviceKind kind, int portsPerPod, int spares) {
        for (int pod = 0; pod < podCount; pod++) {
            pods.add(new OcsPod(ToyOcs.pod(pod), pod, 64, 0, new TreeMap<>(Map.of("node-" + pod, List.of())), true));
        }
        for (int number = 0; number < switchCount; number++) {
            List<OcsSwitch.Wire> wires = new ArrayList<>();
            SortedSet<String> reserved = new TreeSet<>();
            for (int pod = 0; pod < podCount; pod++) {
                for (int index = 0; index < portsPerPod; index++) {
                    int port = 1 + pod * portsPerPod + index;
                    String ingress = Integer.toString(port);
                    String egress = kind == DeviceKind.TWO_SIDED ? Integer.toString(1000 + port) : ingress;
                    wires.add(new OcsSwitch.Wire(ingress, egress, ToyOcs.pod(pod), index));
                    if (index >= portsPerPod - spares) {
                        reserved.add(ingress);
                        reserved.add(egress);
                    }
                }
            }
            String name = String.format("ocs-%02d", number);
            switches.put(
                    name,
                    new OcsSwitch(
                            name,
                            new DeviceId(ToyOcs.DRIVER, "device-" + number),
                            kind,
                            OptionalInt.of(number),
                            wires,
                            reserved,
                            false));
        }
    }

    /** Leaves each switch, in order, the fibres of these pods alone. */
    void wireOnly(List<List<Integer>> podsOfSwitch) {
        List<String> names = List.copyOf(switches.keySet());
        switches.replaceAll((name, of) -> ToyOcs.rewired(
                of,
                of.wiring().stream()
                        .filter(wire -> podsOfSwitch.get(names.indexOf(name)).stream()
                                .anyMatch(pod -> ToyOcs.pod(pod).equals(wire.pod())))
                        .toList()));
        tellWiredPorts();
    }

    /** Pods tell as many ports as are wired. */
    public void tellWiredPorts() {
        pods.replaceAll(pod -> new OcsPod(
                pod.name(),
                pod.index(),
                pod.gpus(),
                (int) switches.values().stream()
                        .flatMap(of -> of.wiring().stream())
                        .filter(wire -> wire.pod().equals(pod.name()))
                        .count(),
                pod.nodes(),
                pod.placeable(),
                pod.closed()));
    }

    /** Whether the nodes of a pod take nothing new, as when they are cordoned. */
    void close(int index, boolean closed) {
        pods.replaceAll(pod -> pod.index() != index
                ? pod
                : new OcsPod(
                        pod.name(),
                        pod.index(),
                        pod.gpus(),
                        pod.ports(),
                        pod.nodes(),
                        !closed,
                        closed ? new TreeSet<>(pod.nodes().keySet()) : new TreeSet<>()));
    }

    void drain(String name) {
        drain(name, true);
    }

    void drain(String name, boolean drained) {
        OcsSwitch of = switches.get(name);
        switches.put(
                name,
                new OcsSwitch(of.name(), of.device(), of.kind(), of.plane(), of.wiring(), of.reserved(), drained));
    }

    /** The same switches, as striped by another number of ports for each pod than their fibres are. */
    List<OcsSwitch> striped(int portsPerPod) {
        List<OcsSwitch> striped = new ArrayList<>();
        for (OcsSwitch of : switches.values()) {
            List<OcsSwitch.Wire> wires = new ArrayList<>();
            for (OcsPod pod : pods) {
                for (int index = 0; index < portsPerPod; index++) {
                    int port = 1 + pod.index() * portsPerPod + index;
                    wires.add(new OcsSwitch.Wire(
                            Integer.toString(port),
                            Integer.toString(of.kind() == DeviceKind.TWO_SIDED ? 1000 + port : port),
                            pod.name(),
                            index));
                }
            }
            striped.add(ToyOcs.rewired(of, wires));
        }
        return striped;
    }
}
