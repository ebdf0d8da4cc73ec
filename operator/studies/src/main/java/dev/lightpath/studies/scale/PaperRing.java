package dev.lightpath.studies.scale;

import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A ring of 8-GPU nodes, K = 3, and its transceivers, which make every change at once. */
final class PaperRing {
    static final int GPUS_PER_NODE = 8;
    private static final int REACH = 3;

    private static final Map<Integer, String> PATH_OF_HOP =
            Map.of(-1, "b0.path1", -2, "b0.path2", 1, "b1.path1", 2, "b1.path2", -3, "b2.path1", 3, "b2.path2");

    private static final Inventory TRANSCEIVERS = transceivers();

    private final String name;
    private final RingFabric fabric;
    private final SortedMap<Integer, RingNode> nodes = new TreeMap<>();
    private final SortedMap<String, DeviceState> devices = new TreeMap<>();
    /** Equal circuits are one object, as the operator keeps them. */
    private final Map<CrossConnects, CrossConnects> shared = new HashMap<>();

    private RingIntent intent;
    private DriverState driver;

    PaperRing(String name, int positions) {
        this.name = name;
        this.fabric = new RingFabric(RingShape.RING, positions, REACH, GPUS_PER_NODE, 1, positions);
        List<Circuit> loopbacks = new ArrayList<>();
        for (int bundle = 0; bundle < REACH; bundle++) {
            loopbacks.add(new Circuit("b" + bundle + ".common", "b" + bundle + ".loop"));
        }
        for (int position = 0; position < positions; position++) {
            nodes.put(position, node(position, List.of()));
            devices.put(nameOf(position), device(position, new CrossConnects(loopbacks)));
        }
        this.intent = described();
        this.driver = reported();
    }

    String name() {
        return name;
    }

    String endpoint() {
        return name + ":9440";
    }

    RingIntent intent() {
        return intent;
    }

    DriverState driver() {
        return driver;
    }

    /** The node is reported as not ready. */
    void fail(int position) {
        report(position, List.of(new Signal(new Subject.OfNode(nameOf(position)), "NodeNotReady", Duration.ZERO)));
    }

    /** Nothing is reported of the node any more. */
    void mend(int position) {
        report(position, List.of());
    }

    private void report(int position, List<Signal> signals) {
        nodes.put(position, node(position, signals));
        intent = described();
    }

    /** Makes the changes of a stage. */
    void make(List<DeviceChange> changes) {
        for (DeviceChange change : changes) {
            String device = change.device().device();
            List<Circuit> circuits = new ArrayList<>(
                    Objects.requireNonNull(devices.get(device)).circuits().circuits());
            circuits.removeAll(change.disconnects());
            circuits.addAll(change.connects());
            devices.put(device, device(positionOf(device), new CrossConnects(circuits)));
        }
        driver = reported();
    }

    private String nameOf(int position) {
        return name + "-" + position;
    }

    private int positionOf(String node) {
        return Integer.parseInt(node.substring(name.length() + 1));
    }

    private RingNode node(int position, List<Signal> signals) {
        return new RingNode(nameOf(position), position, signals, true, false);
    }

    private RingIntent described() {
        return new RingIntent(
                name,
                fabric,
                endpoint(),
                "paper/" + name,
                nodes,
                new TreeMap<>(),
                FabricPolicy.standard(),
                false,
                Optional.empty(),
                false);
    }

    private DriverState reported() {
        return new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "paper", "1", 1, devices);
    }

    private DeviceState device(int position, CrossConnects read) {
        CrossConnects circuits = shared.computeIfAbsent(read, each -> each);
        return new DeviceState(
                DeviceState.Presence.PRESENT,
                circuits,
                new TreeSet<>(),
                circuits.toString(),
                light(position),
                new TreeMap<>(),
                Optional.empty(),
                Optional.of(TRANSCEIVERS));
    }

    /** What every port would hear, were its bundle to lead there: a pass looks only where bundles do. */
    private SortedMap<String, PortLight> light(int position) {
        SortedMap<String, PortLight> light = new TreeMap<>();
        PATH_OF_HOP.forEach((hop, port) -> light.put(
                port,
                new PortLight(
                        PortLight.Lock.UP,
                        Optional.of(new FarEnd(
                                nameOf(Math.floorMod(position + hop, fabric.positions())),
                                Objects.requireNonNull(PATH_OF_HOP.get(-hop)))),
                        OptionalDouble.of(-2),
                        OptionalDouble.empty())));
        return light;
    }

    private static Inventory transceivers() {
        SortedMap<String, Inventory.Side> ports = new TreeMap<>();
        for (int bundle = 0; bundle < REACH; bundle++) {
            ports.put("b" + bundle + ".common", Inventory.Side.COMMON);
            ports.put("b" + bundle + ".loop", Inventory.Side.LOOP);
            ports.put("b" + bundle + ".path1", Inventory.Side.LINE);
            ports.put("b" + bundle + ".path2", Inventory.Side.LINE);
        }
        return new Inventory(Inventory.Make.unnamed(), ports, new TreeMap<>());
    }
}
