package dev.lightpath.benchmarks;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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

/**
 * Passes of the engine over 64 pods of 64 GPUs on 16 two-sided switches, two ports of each pod on each, with 50 jobs
 * whose traffic decides: two replicas of two to four stages of eight GPUs, one stage a pod, so that every pod is
 * shared. Or over 256 such pods on 64 switches, one port of each pod on each, with 200 jobs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
public class SpinePass {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String DRIVER = "driver:1";
    /** Of a pod, on each switch, where there are 64 pods. */
    private static final int MOST_PORTS = 2;

    private static final int MOST_PASSES = 8000;
    private static final int MICRO_BATCHES = 16;

    /** Circuits that a switch loses at once. */
    private static final int LOST = 64;

    /** A job of four stages. */
    static final SliceId LONG = new SliceId("team", "job-2");

    @Param({"64", "256"})
    private int size = 64;

    private final List<OcsPod> pods = new ArrayList<>();
    private final SortedMap<String, OcsSwitch> switches = new TreeMap<>();
    private final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    /** Read once, as the operator reads it: another object is another description. */
    private Optional<OcsIntent> intent = Optional.empty();
    /** Likewise, until it tells something else of a device. */
    private Optional<DriverState> driver = Optional.empty();

    private SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private SortedMap<String, DeviceState> devices = new TreeMap<>();
    private SortedMap<String, FaultTracker> books = new TreeMap<>();
    private SortedMap<String, TopologyAnswer> answers = new TreeMap<>();
    private SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    private int microBatches = MICRO_BATCHES;
    private Instant now = START;
    private long stage = 1;

    private Optional<SpinePass> settled = Optional.empty();
    private int fault;

    /** As JMH makes it. */
    static SpinePass of() {
        return of(MICRO_BATCHES);
    }

    /** As JMH makes it, of so many pods. */
    static SpinePass ofPods(int pods) {
        SpinePass pass = new SpinePass();
        pass.size = pods;
        pass.settle();
        return pass;
    }

    /** @param microBatches of {@link #LONG}, in an iteration of four stages */
    static SpinePass of(int microBatches) {
        SpinePass pass = new SpinePass();
        pass.microBatches = microBatches;
        pass.settle();
        return pass;
    }

    /** Places all jobs and lights them. */
    @Setup
    public void settle() {
        int switchCount = size / 4;
        int jobs = size * 50 / 64;
        int portsPerPod = Math.max(1, MOST_PORTS * 64 / size);
        int egress = size * portsPerPod;
        for (int pod = 0; pod < size; pod++) {
            SortedMap<String, List<dev.lightpath.planner.fault.Signal>> nodes = new TreeMap<>();
            for (int node = 0; node < 8; node++) {
                nodes.put("node-" + pod + "-" + node, List.of());
            }
            pods.add(new OcsPod("pod-" + pod, pod, 64, switchCount * portsPerPod, nodes, true));
        }
        for (int number = 0; number < switchCount; number++) {
            List<OcsSwitch.Wire> wires = new ArrayList<>();
            for (int port = 0; port < egress; port++) {
                wires.add(new OcsSwitch.Wire(
                        Integer.toString(1 + port),
                        Integer.toString(1 + egress + port),
                        "pod-" + port / portsPerPod,
                        port % portsPerPod));
            }
            OcsSwitch of = new OcsSwitch(
                    "ocs-" + number,
                    new DeviceId(DRIVER, "ocs-" + number),
                    DeviceKind.TWO_SIDED,
                    OptionalInt.empty(),
                    wires,
                    new TreeSet<>(),
                    false);
            switches.put(of.name(), of);
            devices.put(of.name(), device(of, CrossConnects.none(), new TreeMap<>()));
        }
        for (int job = 0; job < jobs; job++) {
            SliceId id = new SliceId("team", "job-" + job);
            slices.put(
                    id,
                    new SliceIntent(
                                    id,
                                    new JobId("team", "job-" + job, "uid-" + job),
                                    1,
                                    "spine",
                                    new Demand.Traffic(
                                            Preset.GPT_7B.model(),
                                            Parallelism.ofDegrees(8, 2 + job % 3, 2, 1, 1),
                                            new Batch(id.equals(LONG) ? microBatches : MICRO_BATCHES, 1, 4096, true),
                                            OptionalInt.of(1),
                                            Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                                            Duration.ofSeconds(10)),
                                    0,
                                    START.plusSeconds(job),
                                    true,
                                    new Workload.LightOnly(),
                                    new Replacement.Immediately(),
                                    true)
                            .but()
                            .reconfiguration(Reconfiguration.LIVE)
                            .build());
            ledger.put(id, new LedgerEntry(Optional.empty(), "1"));
        }
        Deliberation rest = rest(this);
        long placed = rest.slices().values().stream()
                .filter(verdict -> verdict.placement() instanceof Placement.Placed)
                .count();
        if (placed != jobs) {
            throw new IllegalStateException(placed + " of " + jobs + " jobs are placed: "
                    + rest.slices().values().stream()
                            .filter(verdict -> !(verdict.placement() instanceof Placement.Placed))
                            .findFirst());
        }
        // what the last pass found is what the next one begins with
        rest(this);
        settled = Optional.of(copy());
    }

    private SpinePass copy() {
        SpinePass copy = new SpinePass();
        copy.pods.addAll(pods);
        copy.switches.putAll(switches);
        copy.slices.putAll(slices);
        copy.intent = intent;
        copy.driver = driver;
        copy.ledger = new TreeMap<>(ledger);
        copy.devices = new TreeMap<>(devices);
        copy.books = books;
        copy.answers = new TreeMap<>(answers);
        copy.remembered = remembered;
        copy.now = now;
        copy.stage = stage;
        return copy;
    }

    /** Passes and their effects until nothing is left to do; questions are answered within them. */
    private static Deliberation rest(SpinePass of) {
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Deliberation deliberation = FabricEngine.deliberate(of.world());
            of.books = deliberation.faults();
            of.remembered = deliberation.remembered();
            if (!deliberation.questions().isEmpty()) {
                DeltaPlanner planner = new DeltaPlanner();
                deliberation
                        .questions()
                        .forEach((digest, asked) ->
                                of.answers.put(digest, asked.question().answer(planner, SearchLimits.standard())));
                continue;
            }
            switch (deliberation.decision()) {
                case Decision.Rest rest -> {
                    if (!deliberation.agenda().goesOn(of.now)) {
                        return deliberation;
                    }
                }
                case Decision.Observe observe -> throw new IllegalStateException("nothing is unknown: " + observe);
                case Decision.Adopt adopt ->
                    adopt.entries()
                            .forEach(entry -> of.ledger.put(
                                    entry.slice(), new LedgerEntry(Optional.of(entry.allocation()), "1")));
                case Decision.Apply apply -> {
                    of.stage = apply.stage().id().counter();
                    apply.stage().changes().forEach(of::apply);
                }
            }
        }
        throw new IllegalStateException("no rest after " + MOST_PASSES + " passes");
    }

    private void apply(DeviceChange change) {
        String name = change.device().device();
        DeviceState before = java.util.Objects.requireNonNull(devices.get(name));
        List<Circuit> circuits = new ArrayList<>(before.circuits().circuits());
        circuits.removeAll(change.disconnects());
        circuits.addAll(change.connects());
        OcsSwitch of = java.util.Objects.requireNonNull(switches.get(name));
        devices.put(name, device(of, new CrossConnects(circuits), before.failedPorts()));
        driver = Optional.empty();
    }

    private static DeviceState device(OcsSwitch of, CrossConnects circuits, SortedMap<String, String> failed) {
        SortedMap<String, Inventory.Side> ports = new TreeMap<>();
        of.wiring().forEach(wire -> {
            ports.put(wire.ingress(), Inventory.Side.INGRESS);
            ports.put(wire.egress(), Inventory.Side.EGRESS);
        });
        return new DeviceState(
                DeviceState.Presence.PRESENT,
                circuits,
                new TreeSet<>(),
                circuits.toString(),
                new TreeMap<>(),
                failed,
                Optional.empty(),
                Optional.of(new Inventory(Inventory.Make.unnamed(), ports, new TreeMap<>())));
    }

    private World world() {
        OcsIntent described = intent.orElseGet(
                () -> OcsIntent.plain("spine", "cluster/spine", pods, switches, new OcsTopology.Logical()));
        intent = Optional.of(described);
        DriverState told = driver.orElseGet(() ->
                new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "paper", "1", 1, new TreeMap<>(devices)));
        driver = Optional.of(told);
        return World.atRest(
                        now,
                        new StageId(1, stage + 1),
                        new TreeMap<>(),
                        new TreeMap<>(Map.of("spine", described)),
                        slices,
                        ledger,
                        new TreeMap<>(Map.of(DRIVER, told)))
                .with(books, answers, remembered);
    }

    /** Nothing to do. */
    @Benchmark
    public Deliberation atRest() {
        return FabricEngine.deliberate(world());
    }

    /** The same where the description was read anew, as it is when any Node of the fabric changes. */
    @Benchmark
    public Deliberation describedAnew() {
        intent = Optional.empty();
        return FabricEngine.deliberate(world());
    }

    /**
     * A port of a circuit fails, each time another, its hold time over: until every record and every circuit is right
     * again.
     */
    @Benchmark
    public Deliberation portFault() {
        List<String> names = List.copyOf(switches.keySet());
        String name = names.get(fault % names.size());
        List<Circuit> lit = List.copyOf(
                java.util.Objects.requireNonNull(devices.get(name)).circuits().circuits());
        String port = lit.get(fault / names.size() % lit.size()).ingress();
        fault++;
        return rest(hurt(name, port));
    }

    /**
     * 64 circuits of a switch fail at once, each time of another one, their hold time over: until every record and
     * every circuit is right again.
     */
    @Benchmark
    public Deliberation switchFault() {
        List<String> names = List.copyOf(switches.keySet());
        String name = names.get(fault++ % names.size());
        List<String> ports = java.util.Objects.requireNonNull(devices.get(name)).circuits().circuits().stream()
                .limit(LOST)
                .map(Circuit::ingress)
                .toList();
        if (ports.size() < LOST) {
            throw new IllegalStateException(name + " has " + ports.size() + " circuits");
        }
        return rest(hurt(name, ports));
    }

    /** The same fabric where this port has just begun to count as failed. */
    SpinePass hurt(String name, String port) {
        return hurt(name, List.of(port));
    }

    private SpinePass hurt(String name, List<String> ports) {
        SortedMap<String, String> failed = new TreeMap<>();
        ports.forEach(port -> failed.put(port, "PortFailed"));
        SpinePass hurt = settled.orElseThrow().copy();
        DeviceState before = java.util.Objects.requireNonNull(hurt.devices.get(name));
        hurt.devices.put(
                name, device(java.util.Objects.requireNonNull(hurt.switches.get(name)), before.circuits(), failed));
        hurt.driver = Optional.empty();
        hurt.books = FabricEngine.deliberate(hurt.world()).faults();
        hurt.now = hurt.now.plusSeconds(1);
        return hurt;
    }

    /** The same, where everything is answered that will be asked before it is at rest. */
    SpinePass answered() {
        SpinePass ahead = copy();
        rest(ahead);
        SpinePass answered = copy();
        answered.answers.putAll(ahead.answers);
        return answered;
    }

    /** Passes and their effects, of a copy, until nothing is left to do. */
    Deliberation repaired() {
        return rest(copy());
    }

    /** As switch and ingress, what a job has. */
    List<Map.Entry<String, String>> ports(SliceId job) {
        List<Map.Entry<String, String>> ports = new ArrayList<>();
        java.util.Objects.requireNonNull(ledger.get(job))
                .allocation()
                .orElseThrow()
                .circuits()
                .forEach((name, circuit) -> ports.add(Map.entry(name, circuit.ingress())));
        return ports;
    }

    /** Circuits of all records. */
    int circuits() {
        return ledger.values().stream()
                .mapToInt(entry -> entry.allocation().orElseThrow().circuits().size())
                .sum();
    }
}
