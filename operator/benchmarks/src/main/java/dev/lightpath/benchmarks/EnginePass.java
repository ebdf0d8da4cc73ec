package dev.lightpath.benchmarks;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.FaultTracker;
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
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
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
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One pass of the engine over a ring of 4-GPU nodes, K = 3, of which jobs of 2 groups of 4 nodes hold four fifths. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EnginePass {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Inventory TRANSCEIVERS = transceivers();

    /** Of reach 3. */
    private static final Map<Integer, String> PATH_OF_HOP =
            Map.of(-1, "b0.path1", -2, "b0.path2", 1, "b1.path1", 2, "b1.path2", -3, "b2.path1", 3, "b2.path2");

    @Param({"1000", "10000"})
    private int nodes = 1000;

    @Param({"1", "2"})
    private int nodesPerTor = 1;

    private final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    private final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private final SortedMap<String, DeviceState> devices = new TreeMap<>();
    /** Equal circuits are one object, as the operator keeps them. */
    private final Map<CrossConnects, CrossConnects> shared = new HashMap<>();

    private SortedMap<String, FaultTracker> books = new TreeMap<>();
    private Optional<World> atRest = Optional.empty();
    private Optional<World> withFault = Optional.empty();

    /** As JMH makes it. */
    static EnginePass of(int nodes, int nodesPerTor) {
        EnginePass pass = new EnginePass();
        pass.nodes = nodes;
        pass.nodesPerTor = nodesPerTor;
        pass.settle();
        return pass;
    }

    /** Places all jobs and lights them. */
    @Setup
    public void settle() {
        List<Circuit> loopbacks = new ArrayList<>();
        for (int bundle = 0; bundle < 3; bundle++) {
            loopbacks.add(new Circuit("b" + bundle + ".common", "b" + bundle + ".loop"));
        }
        for (int node = 0; node < nodes; node++) {
            devices.put("n" + node, device(node, new CrossConnects(loopbacks)));
        }
        for (int job = 0; job < nodes / 10; job++) {
            SliceId id = new SliceId("team", "job-" + job);
            slices.put(
                    id,
                    new SliceIntent(
                            id,
                            new JobId("team", "job-" + job, "uid-" + job),
                            1,
                            "ring",
                            new Demand.ScaleUp(2, 16),
                            0,
                            START,
                            true,
                            new Workload.LightOnly(),
                            new Replacement.Immediately(),
                            true));
            ledger.put(id, new LedgerEntry(Optional.empty(), "1"));
        }
        while (true) {
            Deliberation deliberation = FabricEngine.deliberate(world(false));
            books = deliberation.faults();
            switch (deliberation.decision()) {
                case Decision.Rest rest -> {
                    atRest = Optional.of(world(false));
                    withFault = Optional.of(world(true));
                    return;
                }
                case Decision.Observe observe -> throw new IllegalStateException("nothing is unknown: " + observe);
                case Decision.Adopt adopt ->
                    adopt.entries()
                            .forEach(entry ->
                                    ledger.put(entry.slice(), new LedgerEntry(Optional.of(entry.allocation()), "1")));
                case Decision.Apply apply -> apply.stage().changes().forEach(this::apply);
            }
        }
    }

    private void apply(DeviceChange change) {
        String name = change.device().device();
        List<Circuit> circuits = new ArrayList<>(
                java.util.Objects.requireNonNull(devices.get(name)).circuits().circuits());
        circuits.removeAll(change.disconnects());
        circuits.addAll(change.connects());
        devices.put(name, device(Integer.parseInt(name.substring(1)), new CrossConnects(circuits)));
    }

    /** What every port would hear, were its bundle to lead there: a pass looks only where bundles do. */
    private SortedMap<String, PortLight> light(int node) {
        SortedMap<String, PortLight> light = new TreeMap<>();
        PATH_OF_HOP.forEach((hop, port) -> light.put(
                port,
                new PortLight(
                        PortLight.Lock.UP,
                        Optional.of(new FarEnd(
                                "n" + Math.floorMod(node + hop, nodes), Objects.requireNonNull(PATH_OF_HOP.get(-hop)))),
                        OptionalDouble.of(-2),
                        OptionalDouble.empty())));
        return light;
    }

    private DeviceState device(int node, CrossConnects read) {
        CrossConnects circuits = shared.computeIfAbsent(read, each -> each);
        return new DeviceState(
                DeviceState.Presence.PRESENT,
                circuits,
                new TreeSet<>(),
                circuits.toString(),
                light(node),
                new TreeMap<>(),
                Optional.empty(),
                Optional.of(TRANSCEIVERS));
    }

    private static Inventory transceivers() {
        SortedMap<String, Inventory.Side> ports = new TreeMap<>();
        for (int bundle = 0; bundle < 3; bundle++) {
            ports.put("b" + bundle + ".common", Inventory.Side.COMMON);
            ports.put("b" + bundle + ".loop", Inventory.Side.LOOP);
            ports.put("b" + bundle + ".path1", Inventory.Side.LINE);
            ports.put("b" + bundle + ".path2", Inventory.Side.LINE);
        }
        return new Inventory(Inventory.Make.unnamed(), ports, new TreeMap<>());
    }

    private World world(boolean fault) {
        SortedMap<Integer, RingNode> seats = new TreeMap<>();
        for (int node = 0; node < nodes; node++) {
            List<Signal> signals = fault && node == nodes / 2
                    ? List.of(new Signal(new Subject.OfNode("n" + node), "NodeNotReady", Duration.ZERO))
                    : List.of();
            seats.put(node, new RingNode("n" + node, node, signals, true, false));
        }
        RingIntent ring = new RingIntent(
                "ring",
                new RingFabric(RingShape.RING, nodes, 3, 4, nodesPerTor, nodes),
                "driver:1",
                "cluster/ring",
                seats,
                new TreeMap<>(),
                FabricPolicy.standard(),
                false,
                Optional.empty(),
                false);
        return World.atRest(
                        START.plusSeconds(60),
                        new StageId(1, 1),
                        new TreeMap<>(Map.of("ring", ring)),
                        new TreeMap<>(),
                        slices,
                        ledger,
                        new TreeMap<>(Map.of(
                                "driver:1",
                                new DriverState(
                                        DriverState.Contact.SYNCED, Optional.empty(), "paper", "1", 1, devices))))
                .with(books, new TreeMap<>(), new TreeMap<>());
    }

    /** Nothing to do. */
    @Benchmark
    public Deliberation rest() {
        return FabricEngine.deliberate(atRest.orElseThrow());
    }

    /** A node of a group just failed: judged, repaired, ready to be recorded. */
    @Benchmark
    public Deliberation oneFault() {
        return FabricEngine.deliberate(withFault.orElseThrow());
    }
}
