package dev.lightpath.planner.stripe;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A request for circuits between pods on {@code switches} equal switches. On each switch pod i owns the ports
 * {@code i * portsPerPod ... (i + 1) * portsPerPod - 1}, on both sides of a two-sided device.
 *
 * @param previous the present circuits, one entry per switch at most; empty when there are none
 * @param unusable ports that no circuit may use: failed, reserved, or used by another slice
 */
public record StripingRequest(
        int switches,
        int portsPerPod,
        DeviceKind device,
        LogicalTopology topology,
        List<SwitchCircuits> previous,
        SortedSet<SwitchPort> unusable) {
    private static final int MOST_PORTS = 1 << 20;

    /** @throws IllegalArgumentException if a number is out of range, or the previous light uses a port twice */
    public StripingRequest {
        previous = device == DeviceKind.TWO_SIDED
                ? List.copyOf(previous)
                : previous.stream()
                        .map(of -> new SwitchCircuits(
                                of.switchIndex(),
                                of.circuits().stream()
                                        .map(c -> Circuit.duplex(c.from(), c.to()))
                                        .toList()))
                        .toList();
        unusable = new TreeSet<>(unusable);
        if (switches < 1) {
            throw new IllegalArgumentException("switches is " + switches + ": at least 1");
        }
        if (portsPerPod < 1) {
            throw new IllegalArgumentException("portsPerPodPerSwitch is " + portsPerPod + ": at least 1");
        }
        long ports = (long) topology.pods() * portsPerPod;
        if (!fits(switches, topology.pods(), portsPerPod)) {
            throw new IllegalArgumentException("switches x pods x portsPerPodPerSwitch is " + ports * switches
                    + ": at most " + MOST_PORTS + " ports");
        }
        if (device == DeviceKind.ANY_TO_ANY) {
            for (int i = 0; i < topology.pods(); i++) {
                for (int j = 0; j < i; j++) {
                    if (topology.at(i, j) != topology.at(j, i)) {
                        throw new IllegalArgumentException("topology[" + i + "][" + j + "] is " + topology.at(i, j)
                                + " and topology[" + j + "][" + i + "] is " + topology.at(j, i)
                                + ": any-to-any circuits are duplex, the matrix must be symmetric");
                    }
                }
            }
        }
        Set<Integer> seen = new HashSet<>();
        for (SwitchCircuits of : previous) {
            checkSwitch("previous", of.switchIndex(), switches);
            if (!seen.add(of.switchIndex())) {
                throw new IllegalArgumentException(
                        "previous lists switch " + of.switchIndex() + " twice: once at most");
            }
            Set<Integer> ingress = new HashSet<>();
            Set<Integer> egress = device == DeviceKind.TWO_SIDED ? new HashSet<>() : ingress;
            for (Circuit circuit : of.circuits()) {
                checkPort("previous", of.switchIndex(), circuit.from(), ports);
                checkPort("previous", of.switchIndex(), circuit.to(), ports);
                if (!ingress.add(circuit.from()) || !egress.add(circuit.to())) {
                    throw new IllegalArgumentException("previous uses a port of circuit " + circuit + " on switch "
                            + of.switchIndex() + " twice: a port is in at most one circuit");
                }
            }
        }
        for (SwitchPort port : unusable) {
            checkSwitch("unusablePorts", port.switchIndex(), switches);
            checkPort("unusablePorts", port.switchIndex(), port.port(), ports);
        }
    }

    /** Whether a request may be as large: 2^20 ports in all. */
    public static boolean fits(int switches, int pods, int portsPerPod) {
        return (long) pods * portsPerPod * switches <= MOST_PORTS;
    }

    /** The pod that owns a port number. */
    public int podOf(int port) {
        return port / portsPerPod;
    }

    boolean usable(int switchIndex, int port, SwitchPort.Side side) {
        if (unusable.isEmpty()) {
            return true;
        }
        for (SwitchPort.Side s : SwitchPort.Side.values()) {
            if (s.covers(side) && unusable.contains(new SwitchPort(switchIndex, port, s))) {
                return false;
            }
        }
        return true;
    }

    /** The side of a circuit's first port: ingress, or both where a port has only one side. */
    SwitchPort.Side fromSide() {
        return device == DeviceKind.TWO_SIDED ? SwitchPort.Side.INGRESS : SwitchPort.Side.BOTH;
    }

    /** The side of a circuit's second port. */
    SwitchPort.Side toSide() {
        return device == DeviceKind.TWO_SIDED ? SwitchPort.Side.EGRESS : SwitchPort.Side.BOTH;
    }

    private static void checkSwitch(String where, int index, int switches) {
        if (index < 0 || index >= switches) {
            throw new IllegalArgumentException(where + " names switch " + index + ": allowed 0 to " + (switches - 1));
        }
    }

    private static void checkPort(String where, int switchIndex, int port, long ports) {
        if (port < 0 || port >= ports) {
            throw new IllegalArgumentException(
                    where + " names port " + port + " of switch " + switchIndex + ": allowed 0 to " + (ports - 1));
        }
    }
}
