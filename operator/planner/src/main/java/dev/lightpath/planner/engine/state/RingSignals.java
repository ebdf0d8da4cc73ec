package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.degrading.Degrading;
import dev.lightpath.planner.engine.degrading.SignalDegrade;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What looks wrong on a ring now, from Kubernetes' side and from the light (spec: faults, 1). */
final class RingSignals {
    /** A member's Node was labelled to another position than its record names. */
    static final String NODE_MOVED = "NodeMoved";

    private final RingIntent intent;
    private final RingPositions positions;
    private final DriverState driver;
    private final RingEnds ends;
    private final Set<String> lacking;
    private final FaultTracker before;
    private final World world;
    /** Records of this ring by node. Linear in members, once in a pass that asks. */
    private final Lazy<Map<String, List<Recorded>>> recorded = new Lazy<>(this::findRecorded);

    private final List<Signal> signals = new ArrayList<>();
    private final DevicePresence presence;
    private final DisplacedNodes displaced;

    /**
     * @param lacking nodes whose devices do not have what the ring takes
     * @param before what counted until now
     */
    RingSignals(
            World world,
            RingIntent intent,
            RingPositions positions,
            DriverState driver,
            RingEnds ends,
            Set<String> lacking,
            FaultTracker before,
            PassMemory memory) {
        this.before = before;
        this.world = world;
        this.intent = intent;
        this.presence = new DevicePresence(world, intent);
        this.positions = positions;
        this.driver = driver;
        this.ends = ends;
        this.lacking = lacking;
        this.displaced = DisplacedNodes.of(world, intent, positions, memory);
        suspicious().stream().forEach(position -> ofNode(Objects.requireNonNull(positions.at(position))));
        ofDisplaced();
        degrading();
        signals.addAll(SignalDegrade.left(
                before, signals, intent.policy().hold(), this::isLeft, (port, fault) -> SignalDegrade.Blame.ALONE));
    }

    List<Signal> all() {
        return signals;
    }

    /** Slices with displaced members. */
    Set<SliceId> displaced() {
        return displaced.of();
    }

    /** Positions of which anything may be told: all others are calm. */
    private BitSet suspicious() {
        BitSet suspicious = (BitSet) positions.troubled().clone();
        for (String node : lacking) {
            int position = positions.positionOf(node);
            if (position != RingPositions.NOWHERE) {
                suspicious.set(position);
            }
        }
        return suspicious;
    }

    /** Members of recorded groups whose Node is gone or was labelled to another position. */
    private void ofDisplaced() {
        displaced.gone().forEach(node -> displaced(node, "NodeMissing"));
        Set<String> moved = new HashSet<>(displaced.moved());
        if (!moved.isEmpty()) {
            // what else is wrong with a node says more than that it moved
            signals.forEach(signal -> {
                if (signal.subject() instanceof Subject.OfNode troubled) {
                    moved.remove(troubled.node());
                }
            });
            moved.forEach(node -> displaced(node, NODE_MOVED));
        }
    }

    private void displaced(String node, String reason) {
        signals.add(new Signal(new Subject.OfNode(node), reason, Duration.ZERO));
    }

    private void ofNode(RingPositions.NodeAt there) {
        RingNode node = there.node();
        if (!node.signals().isEmpty()) {
            signals.addAll(node.signals());
        }
        if (!driver.synced() || there.calm() && !lacking.contains(node.name())) {
            return;
        }
        DeviceState device = there.device();
        boolean present = device != null && device.present();
        if (present && lacking.contains(node.name())) {
            signals.add(new Signal(
                    new Subject.OfDevice(node.name()),
                    DeviceMismatch.PORT_MISSING,
                    intent.policy().hold()));
        }
        signals.addAll(presence.signals(node.name(), device));
        if (device != null && present) {
            device.circuits().circuits().forEach(circuit -> lossOfLight(node, device, circuit));
        }
    }

    /** Two ends that point at each other and are at rest must see each other's light. */
    private void lossOfLight(RingNode node, DeviceState device, Circuit circuit) {
        // asked first, because nearly every port sees light
        if (!device.missesLight(circuit)) {
            return;
        }
        if (ends.joined(node, device, circuit)) {
            Subject port = new Subject.OfPort(node.name(), circuit.egress());
            Duration patience = LinkUpGrace.patience(before, port);
            signals.add(new Signal(port, "LossOfLight", intent.policy().hold().plus(patience))
                    .dueTo(lighting(node.name())));
        }
    }

    /**
     * Paths that get worse and are taken out before they fail, while a node within reach is free and well for each; and
     * those that an earlier process took out.
     */
    private void degrading() {
        SortedMap<Subject, String> ports = new TreeMap<>();
        before.light().findings().values().stream()
                .filter(Finding::certain)
                .forEach(finding -> ports.put(Degrading.itself(finding.place()), ""));
        signals.addAll(Degrading.signals(
                world, intent, positions.clearances(), ports, before, () -> new SpareNodes(busy(ports.keySet()))));
    }

    /** Nodes that are no place for what degrading ports carry. Linear in members. */
    private Set<String> busy(Set<Subject> ports) {
        Set<String> busy = new HashSet<>(recorded.get().keySet());
        ports.forEach(port -> busy.add(port.holder()));
        before.faults().forEach(fault -> busy.add(fault.subject().holder()));
        return busy;
    }

    /** Nodes that are free and well, each promised once. */
    private final class SpareNodes implements Degrading.Places {
        private final Set<String> busy;

        SpareNodes(Set<String> busy) {
            this.busy = busy;
        }

        @Override
        public boolean replace(Subject port) {
            return spare(port.holder(), busy);
        }

        @Override
        public void keep(Subject port) {
            if (port instanceof Subject.OfPort path && isWanted(path)) {
                var unused = spare(path.device(), busy);
            }
        }
    }

    /** Whether a node within reach of another is free and well; it is then promised. */
    private boolean spare(String node, Set<String> busy) {
        int position = positions.positionOf(node);
        if (position == RingPositions.NOWHERE) {
            return false;
        }
        for (int hop = -intent.ring().reach(); hop <= intent.ring().reach(); hop++) {
            int at = hop == 0 ? -1 : intent.ring().at(position, hop);
            RingPositions.NodeAt there = at < 0 ? null : positions.at(at);
            if (there != null && takes(there) && busy.add(there.node().name())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a member may come to a free node. */
    private boolean takes(RingPositions.NodeAt there) {
        return there.device() != null
                && there.device().present()
                && there.node().placeable()
                && there.node().signals().isEmpty()
                && !lacking.contains(there.node().name());
    }

    /** The record whose light a node leads: light that is made is dark for a moment, and that is no flapping. */
    private String lighting(String node) {
        return recorded(node).isEmpty() ? "" : recorded(node).getLast().occasion();
    }

    private final class Recorded {
        private final SliceId slice;
        private final Allocation allocation;
        private final Lazy<Set<Subject>> wanted = new Lazy<>(this::derived);

        Recorded(SliceId slice, Allocation allocation) {
            this.slice = slice;
            this.allocation = allocation;
        }

        String occasion() {
            return slice + "/" + allocation.revision();
        }

        /** Whether it wants light at a port of one of its nodes. */
        boolean wants(Subject.OfPort port) {
            // it is unknown what a record wants that does not fit the ring
            return !allocation.members().stream()
                            .allMatch(member -> intent.ring().contains(member.position()))
                    || wanted.get().contains(port);
        }

        private Set<Subject> derived() {
            BundleDerivation derived = BundleDerivation.derive(intent.ring(), SliceState.groupsOf(allocation));
            Set<Subject> ports = new HashSet<>();
            allocation.forEachMember(member -> TransceiverPorts.circuits(
                            derived.states().of(member.position()))
                    .circuits()
                    .forEach(circuit -> ports.add(new Subject.OfPort(member.node(), circuit.egress()))));
            return ports;
        }
    }

    private List<Recorded> recorded(String node) {
        return recorded.get().getOrDefault(node, List.of());
    }

    private Map<String, List<Recorded>> findRecorded() {
        Map<String, List<Recorded>> byNode = new HashMap<>();
        world.forEachAllocation(intent, (slice, allocation) -> {
            Recorded of = new Recorded(slice, allocation);
            allocation.forEachMember(member -> byNode.computeIfAbsent(member.node(), node -> new ArrayList<>(1))
                    .add(of));
        });
        return byNode;
    }

    /** Whether no record wants a path any more, and no light is on it. */
    private boolean isLeft(Subject.OfPort port) {
        DeviceState device = positions.device(port.device());
        return device != null
                && TransceiverPorts.leadsOut(port.port())
                && SignalDegrade.isBare(world, new DeviceId(intent.driver(), port.device()), device, port.port())
                && !isWanted(port);
    }

    private boolean isWanted(Subject.OfPort port) {
        return recorded(port.device()).stream().anyMatch(record -> record.wants(port));
    }
}
