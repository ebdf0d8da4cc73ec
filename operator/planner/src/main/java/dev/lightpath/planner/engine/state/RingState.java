package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.degrading.LightWatch;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.SignalSources;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.memory.Derived;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One ring fabric in one world, with its faults judged: what every step of a pass looks at.
 *
 * @param positions which node is at each position, and what the driver tells of its transceivers
 * @param moved seats of nodes that are faulty only because a record names them at another one
 * @param lacking why devices cannot play their part, by node
 * @param displaced slices with displaced members
 * @param memory of this pass
 */
public record RingState(
        World world,
        RingIntent intent,
        RingPositions positions,
        DriverState driver,
        PortMap ports,
        FaultTracker tracker,
        RingHealth health,
        Set<Integer> moved,
        SortedMap<String, String> lacking,
        Set<SliceId> displaced,
        PassMemory memory)
        implements FabricState {
    /** For this long after a fault no job is moved to make room for others. */
    public static final Duration REPAIRS_FIRST = Duration.ofSeconds(1);

    private static final Slot<Derived<SortedMap<String, String>>> LACKING = new Slot<>("lacking devices");

    private static final String DRIVER = "driver";
    /** The source of devices whose own driver is away: it is never heard. */
    private static final String AWAY = "away";

    public static RingState of(World given, RingIntent intent) {
        PassMemory memory = new PassMemory(given.cacheOf(intent.name()));
        World world = NewerDevices.leavingOneAlone(given, intent, memory);
        DriverState driver = world.driver(intent.driver());
        PortMap ports = new PortMap(intent.ring().reach());
        RingPositions positions = RingPositions.of(intent, driver, memory.before(RingPositions.SLOT));
        memory.keep(RingPositions.SLOT, positions);
        OpenedFaults faults = OpenedFaults.of(world, intent, positions.clearances());
        SortedMap<String, String> lacking = memory.derived(
                LACKING,
                List.of(positions.devices()),
                List.of(driver.synced(), intent.ring().reach(), intent.driver()),
                () -> DeviceMismatch.lacking(intent, driver, positions));
        // while the driver is away nothing is looked at, and the first look is yet to come
        RingEnds ends = new RingEnds(world, intent, positions, ports);
        Map<Subject, Instant> unproved =
                driver.synced() ? LinkUpGrace.left(world, intent.driver(), positions, faults.before()) : Map.of();
        FaultTracker proved = driver.synced()
                ? faults.proving(
                        unproved,
                        new StageLinks(
                                intent.policy(),
                                ends::joined,
                                port -> Instant.EPOCH.equals(unproved.get(port)),
                                positions::device),
                        world.now())
                : faults.cleared();
        FaultTracker left = proved.watching(faults.cleared(proved.light())
                .after(
                        world.now(),
                        driver.synced() ? positions.devices() : AWAY,
                        () -> LightWatch.of(
                                driver.synced(),
                                positions,
                                intent.ring().reach(),
                                faults.clearances().keySet()),
                        intent.policy().health()));
        RingSignals seen = new RingSignals(world, intent, positions, driver, ends, lacking.keySet(), left, memory);
        FaultTracker tracker = left.advance(
                seen.all(), positions.byName().keySet(), sources(driver, positions), world.now(), faults.policy());
        return new RingState(
                world,
                intent,
                positions,
                driver,
                ports,
                tracker,
                health(positions, tracker),
                moved(positions, tracker),
                lacking,
                seen.displaced(),
                memory);
    }

    @Override
    public SortedMap<String, Instant> clearances() {
        return positions.clearances();
    }

    @Override
    public FaultTracker tracker(List<Due> due) {
        return LinkUpGrace.and(tracker, positions, world.now(), due);
    }

    /** Kubernetes tells of nodes, the driver of all else. Of devices whose own driver is away nothing is told. */
    private static SignalSources sources(DriverState driver, RingPositions positions) {
        return new SignalSources(
                subject -> {
                    if (subject instanceof Subject.OfNode) {
                        return SignalSources.KUBERNETES;
                    }
                    DeviceState device = positions.device(subject.holder());
                    return device != null && device.away() ? AWAY : DRIVER;
                },
                driver.synced() ? Set.of(SignalSources.KUBERNETES, DRIVER) : Set.of(SignalSources.KUBERNETES));
    }

    /** Until when no job is moved to make room for others; empty when that is over. O(faults). */
    public Optional<Instant> repairsFirstUntil() {
        return tracker.faults().stream()
                .map(fault -> fault.since().plus(REPAIRS_FIRST))
                .max(Comparator.naturalOrder())
                .filter(world.now()::isBefore);
    }

    /** The node at a position that is alone there. */
    public Optional<RingNode> nodeAt(int position) {
        return Optional.ofNullable(intent.nodes().get(position));
    }

    public DeviceId deviceId(String node) {
        return new DeviceId(intent.driver(), node);
    }

    /** Where each node sits. */
    public Map<String, Integer> byName() {
        return positions.byName();
    }

    public Optional<DeviceState> device(String node) {
        return Optional.ofNullable(positions.device(node));
    }

    private static RingHealth health(RingPositions positions, FaultTracker tracker) {
        SortedMap<Integer, SortedSet<BundlePath>> lost = new TreeMap<>();
        List<Fault> faults = tracker.faults();
        BitSet faulty = (BitSet) positions.vacant().clone();
        for (Fault fault : faults) {
            if (!(fault.subject() instanceof Subject.OfPort)) {
                int position = positions.positionOf(fault.subject().holder());
                if (position != RingPositions.NOWHERE) {
                    faulty.set(position);
                }
            }
        }
        faults.forEach(fault -> {
            if (fault.subject() instanceof Subject.OfPort port) {
                int position = positions.positionOf(port.device());
                if (position != RingPositions.NOWHERE && !faulty.get(position)) {
                    lost.computeIfAbsent(position, unseen -> new TreeSet<>())
                            .addAll(TransceiverPorts.lostWith(port.port()));
                }
            }
        });
        SortedSet<Integer> broken = new TreeSet<>();
        faulty.stream().forEach(broken::add);
        return new RingHealth(broken, lost);
    }

    private static Set<Integer> moved(RingPositions positions, FaultTracker tracker) {
        Set<String> moved = new HashSet<>();
        Set<String> otherwise = new HashSet<>();
        for (Fault fault : tracker.faults()) {
            boolean only = fault.reason().equals(RingSignals.NODE_MOVED) && !fault.quarantined();
            (only ? moved : otherwise).add(fault.subject().holder());
        }
        moved.removeAll(otherwise);
        return moved.stream()
                .map(positions::positionOf)
                .filter(position -> position != RingPositions.NOWHERE)
                .collect(Collectors.toSet());
    }
}
