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
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
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

/**
 * A ring of nodes, K = 3, of which jobs of 2 groups of 4 nodes hold four fifths, as the planner sees it from pass to
 * pass. What did not change is the same object in the next world, as the operator hands it over. A step prepares the
 * world of the next pass; {@link #decide} makes the pass and carries what it leaves.
 */
final class PlannedRing {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String RING = "ring";
    private static final String DRIVER = "driver:1";
    private static final Inventory TRANSCEIVERS = transceivers();

    /** Of reach 3. */
    private static final Map<Integer, String> PATH_OF_HOP =
            Map.of(-1, "b0.path1", -2, "b0.path2", 1, "b1.path1", 2, "b1.path2", -3, "b2.path1", 3, "b2.path2");

    private final int nodes;
    private final RingFabric geometry;
    private final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    private final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    /** What is handed over of both, as long as it does not change. */
    private SortedMap<SliceId, SliceIntent> wished;

    private SortedMap<SliceId, LedgerEntry> recorded;
    /** Equal circuits are one object, as the operator keeps them. */
    private final Map<CrossConnects, CrossConnects> shared = new HashMap<>();

    private SortedMap<Integer, RingNode> seats = new TreeMap<>();
    private SortedMap<String, DeviceState> devices = new TreeMap<>();
    private RingIntent ring;
    private DriverState driver;
    private SortedMap<String, FaultTracker> books = new TreeMap<>();
    private SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    private Instant now = START.plusSeconds(60);
    private long stages;
    private World world;
    private Decision decision = new Decision.Rest(Optional.empty());

    /**
     * A ring at rest: all jobs are placed and lit.
     *
     * @param gpus of a node
     */
    PlannedRing(int nodes, int gpus, int nodesPerTor) {
        this.nodes = nodes;
        this.geometry = new RingFabric(RingShape.RING, nodes, 3, gpus, nodesPerTor, nodes - nodes % nodesPerTor);
        List<Circuit> loopbacks = new ArrayList<>();
        for (int bundle = 0; bundle < 3; bundle++) {
            loopbacks.add(new Circuit("b" + bundle + ".common", "b" + bundle + ".loop"));
        }
        for (int node = 0; node < nodes; node++) {
            devices.put("n" + node, device(node, new CrossConnects(loopbacks)));
            seats.put(node, seat(node, false));
        }
        for (int job = 0; job < nodes / 10; job++) {
            SliceId id = new SliceId("team", "job-" + job);
            slices.put(
                    id,
                    new SliceIntent(
                            id,
                            new JobId("team", "job-" + job, "uid-" + job),
                            1,
                            RING,
                            new Demand.ScaleUp(2, 4 * gpus),
                            0,
                            START,
                            true,
                            new Workload.LightOnly(),
                            new Replacement.Immediately(),
                            true));
            ledger.put(id, new LedgerEntry(Optional.empty(), "1"));
        }
        this.ring = intent();
        this.driver = reported();
        this.wished = FixedMap.copyOf(slices);
        this.recorded = FixedMap.copyOf(ledger);
        this.world = world();
        settle();
    }

    /** The next wake-up, so much later and without news. */
    void later(Duration time) {
        now = now.plus(time);
        world = world();
    }

    /** A node fails; its device stays as it was. */
    void fail(int node) {
        now = now.plusMillis(1);
        seats = new TreeMap<>(seats);
        seats.put(node, seat(node, true));
        ring = intent();
        world = world();
    }

    /** The node is well again. */
    void mend(int node) {
        now = now.plusMillis(1);
        seats = new TreeMap<>(seats);
        seats.put(node, seat(node, false));
        ring = intent();
        world = world();
    }

    /** The outcome of what was decided last arrives. */
    void carryOut() {
        now = now.plusMillis(1);
        switch (decision) {
            case Decision.Rest rest -> {}
            case Decision.Observe observe -> throw new IllegalStateException("nothing is unknown: " + observe);
            case Decision.Adopt adopt -> {
                adopt.entries()
                        .forEach(entry ->
                                ledger.put(entry.slice(), new LedgerEntry(Optional.of(entry.allocation()), "1")));
                recorded = FixedMap.copyOf(ledger);
            }
            case Decision.Apply apply -> {
                stages++;
                devices = new TreeMap<>(devices);
                apply.stage().changes().forEach(this::apply);
                driver = reported();
            }
        }
        world = world();
    }

    /** One pass. */
    Deliberation decide() {
        Deliberation deliberation = FabricEngine.deliberate(world);
        books = deliberation.faults();
        remembered = deliberation.remembered();
        decision = deliberation.decision();
        return deliberation;
    }

    /** The world of the next pass. */
    World next() {
        return world;
    }

    boolean atRest() {
        return decision instanceof Decision.Rest;
    }

    /** What was decided last. */
    Decision decision() {
        return decision;
    }

    /** Passes until nothing is left to do. */
    void settle() {
        do {
            carryOut();
            decide();
        } while (!atRest());
    }

    /** A node of a job. */
    int member(int job) {
        LedgerEntry entry = Objects.requireNonNull(ledger.get(new SliceId("team", "job-" + job)));
        return entry.allocation()
                .map(Allocation::members)
                .orElseThrow()
                .get(job % 8)
                .position();
    }

    int jobs() {
        return slices.size();
    }

    private static RingNode seat(int node, boolean failed) {
        List<Signal> signals =
                failed ? List.of(new Signal(new Subject.OfNode("n" + node), "NodeNotReady", Duration.ZERO)) : List.of();
        return new RingNode("n" + node, node, signals, true, false);
    }

    private void apply(DeviceChange change) {
        String name = change.device().device();
        List<Circuit> circuits = new ArrayList<>(
                Objects.requireNonNull(devices.get(name)).circuits().circuits());
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

    private RingIntent intent() {
        return new RingIntent(
                RING,
                geometry,
                DRIVER,
                "cluster/ring",
                seats,
                new TreeMap<>(),
                FabricPolicy.standard(),
                false,
                Optional.empty(),
                false);
    }

    private DriverState reported() {
        return new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "paper", "1", 1, devices);
    }

    private World world() {
        return World.atRest(
                        now,
                        new StageId(1, stages + 1),
                        new TreeMap<>(Map.of(RING, ring)),
                        new TreeMap<>(),
                        wished,
                        recorded,
                        new TreeMap<>(Map.of(DRIVER, driver)))
                .with(books, new TreeMap<>(), remembered);
    }
}
