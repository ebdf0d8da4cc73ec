package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One ring fabric in one world, with its faults judged: what every step of a pass looks at.
 *
 * @param positions where each node sits, by name
 * @param devices what the driver tells of each node's transceivers, by node: looked up for every node several times a pass
 * @param lacking why devices cannot play their part, by node
 */
record RingScene(
        World world,
        RingIntent intent,
        Map<String, Integer> positions,
        DriverState driver,
        Map<String, DeviceState> devices,
        PortMap ports,
        FaultBook book,
        RingHealth health,
        SortedMap<String, String> lacking) {

    static RingScene of(World world, RingIntent intent) {
        DriverState driver = world.driver(intent.driver());
        PortMap ports = new PortMap(intent.ring().reach());
        FaultBook known = world.faults().get(intent.name());
        FaultBook.Policy policy = FaultBook.Policy.standard(intent.policy().clear());
        FaultBook before = known == null ? FaultBook.opened(world.now(), intent.latched()) : known;
        Map<String, Integer> positions = positions(intent);
        Map<String, DeviceState> devices = new HashMap<>(driver.devices());
        SortedMap<String, String> lacking = Equipment.lacking(intent, driver, devices);
        FaultBook cleared = before.cleared(clearances(world, intent), policy);
        // while the driver is away nothing is looked at, and the first look is yet to come
        FaultBook left = driver.synced()
                ? cleared.proving(FirstLight.left(world, intent.driver(), positions.keySet(), devices, before))
                : cleared;
        FaultBook book = left.advance(
                RingSignals.of(world, intent, positions, driver, devices, ports, lacking.keySet(), left),
                positions.keySet(),
                subject -> !driver.synced() && !(subject instanceof Subject.OfNode),
                world.now(),
                policy);
        return new RingScene(
                world, intent, positions, driver, devices, ports, book, health(intent, positions, book), lacking);
    }

    /** With the faults judged already. */
    static RingScene of(World world, RingIntent intent, FaultBook book) {
        Map<String, Integer> positions = positions(intent);
        DriverState driver = world.driver(intent.driver());
        return new RingScene(
                world,
                intent,
                positions,
                driver,
                new HashMap<>(driver.devices()),
                new PortMap(intent.ring().reach()),
                book,
                health(intent, positions, book),
                Collections.emptySortedMap());
    }

    /** What a person cleared, by node. A moment to come clears nothing yet: it would clear again at every pass. */
    private static Map<String, Instant> clearances(World world, RingIntent intent) {
        Map<String, Instant> clearances = new TreeMap<>();
        for (RingNode node : intent.nodes().values()) {
            node.clearedAt()
                    .filter(moment -> !moment.isAfter(world.now()))
                    .ifPresent(moment -> clearances.put(node.name(), moment));
        }
        return clearances;
    }

    /** The node at a position that is alone there. */
    Optional<RingNode> nodeAt(int position) {
        return Optional.ofNullable(intent.nodes().get(position));
    }

    DeviceId deviceId(String node) {
        return new DeviceId(intent.driver(), node);
    }

    Optional<DeviceState> device(String node) {
        return Optional.ofNullable(devices.get(node));
    }

    private static RingHealth health(RingIntent intent, Map<String, Integer> positions, FaultBook book) {
        SortedSet<Integer> faulty = new TreeSet<>();
        SortedMap<Integer, SortedSet<BundlePath>> lost = new TreeMap<>();
        List<Fault> faults = book.faults();
        Set<String> down = new HashSet<>();
        for (Fault fault : faults) {
            if (!(fault.subject() instanceof Subject.OfPort)) {
                down.add(fault.subject().holder());
            }
        }
        for (int position = 0; position < intent.ring().positions(); position++) {
            RingNode node = intent.nodes().get(position);
            if (node == null || down.contains(node.name())) {
                faulty.add(position);
            }
        }
        faults.forEach(fault -> {
            if (fault.subject() instanceof Subject.OfPort port) {
                Integer position = positions.get(port.device());
                if (position != null && !faulty.contains(position)) {
                    lost.computeIfAbsent(position, unseen -> new TreeSet<>())
                            .addAll(TransceiverPorts.lostWith(port.port()));
                }
            }
        });
        return new RingHealth(faulty, lost);
    }

    private static Map<String, Integer> positions(RingIntent intent) {
        Map<String, Integer> positions = new HashMap<>();
        intent.nodes().forEach((position, node) -> positions.put(node.name(), position));
        return positions;
    }
}
