package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.World;
import java.util.Optional;
import java.util.SortedSet;

/** Which ends of a ring's fibres point at each other: only such a pair is a link, and must see each other's light. */
final class RingEnds {
    private final RingIntent intent;
    private final RingPositions sites;
    private final PortMap ports;
    private final SortedSet<DeviceId> locked;

    RingEnds(World world, RingIntent intent, RingPositions sites, PortMap ports) {
        this.intent = intent;
        this.sites = sites;
        this.ports = ports;
        this.locked = world.locked();
    }

    /** Whether the circuit of a port and that of its far end are made and at rest. */
    boolean joined(Subject.OfPort port) {
        int position = sites.positionOf(port.device());
        RingPositions.Site site = position == RingPositions.NOWHERE ? null : sites.at(position);
        DeviceState device = site == null ? null : site.device();
        return site != null
                && device != null
                && device.present()
                && device.circuits().circuits().stream()
                        .anyMatch(circuit ->
                                circuit.egress().equals(port.port()) && joined(site.node(), device, circuit));
    }

    /** The same of a circuit that the device of a node shows. */
    boolean joined(RingNode node, DeviceState device, Circuit circuit) {
        // a device may have bundles that the ring does not take: no fibre of the ring is on them
        Optional<BundlePath> path = TransceiverPorts.path(circuit.egress()).filter(on -> on.bundle() < ports.bundles());
        int hop = path.map(ports::hopOf).orElse(0);
        if (hop == 0 || !atRest(node.name(), device, circuit)) {
            return false;
        }
        int far = intent.ring().at(node.position(), hop);
        RingPositions.Site neighbour = far < 0 ? null : sites.at(far);
        DeviceState other = neighbour == null ? null : neighbour.device();
        if (neighbour == null || other == null || !other.present()) {
            return false;
        }
        Circuit back = TransceiverPorts.circuit(ports.pathOf(-hop));
        return other.circuits().contains(back) && atRest(neighbour.node().name(), other, back);
    }

    private boolean atRest(String node, DeviceState device, Circuit circuit) {
        return device.operation().isEmpty()
                && !device.moves(circuit)
                && (locked.isEmpty() || !locked.contains(new DeviceId(intent.driver(), node)));
    }
}
