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
    private final RingPositions positions;
    private final PortMap ports;
    private final SortedSet<DeviceId> locked;

    RingEnds(World world, RingIntent intent, RingPositions positions, PortMap ports) {
        this.intent = intent;
        this.positions = positions;
        this.ports = ports;
        this.locked = world.locked();
    }

    /** Whether the circuit of a port and that of its far end are made and at rest. */
    boolean joined(Subject.OfPort port) {
        int position = positions.positionOf(port.device());
        RingPositions.NodeAt there = position == RingPositions.NOWHERE ? null : positions.at(position);
        DeviceState device = there == null ? null : there.device();
        return there != null
                && device != null
                && device.present()
                && device.circuits().circuits().stream()
                        .anyMatch(circuit ->
                                circuit.egress().equals(port.port()) && joined(there.node(), device, circuit));
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
        RingPositions.NodeAt neighbour = far < 0 ? null : positions.at(far);
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
