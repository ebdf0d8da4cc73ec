package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Fabrics of pods without nodes, whose jobs say between which pods they want circuits. */
public final class Spine {
    private Spine() {}

    public static String pod(int index) {
        return "pod-" + index;
    }

    /**
     * Ports of pods on each switch count from 1, pod by pod; on two-sided switches light leaves for them 100 higher.
     */
    public static OcsIntent striped(DeviceKind kind, int pods, int switches, int portsPerPod) {
        List<OcsSwitch> of = new ArrayList<>();
        for (int number = 0; number < switches; number++) {
            List<OcsSwitch.Wire> wires = new ArrayList<>();
            for (int port = 0; port < pods * portsPerPod; port++) {
                wires.add(wire(kind, 1 + port, port / portsPerPod, port % portsPerPod));
            }
            of.add(opticalSwitch("ocs-" + number, number, kind, wires));
        }
        return of(pods, of);
    }

    /** The wire at a port of a switch. */
    static OcsSwitch.Wire wire(DeviceKind kind, int port, int pod, int index) {
        return new OcsSwitch.Wire(Integer.toString(port), egress(kind, port), pod(pod), index);
    }

    /** Where light leaves for the pod whose light enters at this port. */
    public static String egress(DeviceKind kind, int port) {
        return Integer.toString(kind == DeviceKind.TWO_SIDED ? 100 + port : port);
    }

    static OcsSwitch opticalSwitch(String name, int plane, DeviceKind kind, List<OcsSwitch.Wire> wires) {
        return new OcsSwitch(
                name, new DeviceId("driver:1", name), kind, OptionalInt.of(plane), wires, new TreeSet<>(), false);
    }

    static OcsIntent of(int pods, Collection<OcsSwitch> switches) {
        List<OcsPod> all = new ArrayList<>();
        for (int pod = 0; pod < pods; pod++) {
            all.add(new OcsPod(pod(pod), pod, 8, 0, new TreeMap<>(), true));
        }
        SortedMap<String, OcsSwitch> named = new TreeMap<>();
        switches.forEach(of -> named.put(of.name(), of));
        return OcsIntent.plain("spine", "cluster/spine", all, named, new OcsTopology.Logical());
    }

    /** The same fabric with this switch instead of that of its name. */
    public static OcsIntent with(OcsIntent fabric, OcsSwitch changed) {
        SortedMap<String, OcsSwitch> switches = new TreeMap<>(fabric.switches());
        switches.put(changed.name(), changed);
        return new OcsIntent(
                fabric.name(),
                fabric.role(),
                fabric.pods(),
                switches,
                fabric.topology(),
                fabric.policy(),
                fabric.paused(),
                fabric.resumedAt(),
                fabric.retiring(),
                fabric.misread(),
                fabric.quarantinedPorts(),
                fabric.recordedFaults(),
                fabric.clearances(),
                fabric.gpusPerNode(),
                fabric.circuitGbps(),
                fabric.discovery());
    }
}
