package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.discovery.DiscoveryRequest;
import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.discovery.Tally;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.state.Forecasts;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.RecordedFaults;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Optical switches in memory that do at once what they are told and refuse, loudly, a port used twice. Pod i holds the
 * ports {@code i * portsPerPod + 1 ...} on each switch; egress ports of two-sided ones begin at 1001.
 */
public final class ToyOcs {
    static final String DRIVER = "driver:1";
    /** How long a device that refused more than once is left alone. */
    static final Duration SETBACK = Duration.ofSeconds(30);

    public static final SliceId STATIC = new SliceId("lightpath-system", "spine-topology");

    public final ToyWiring wiring;
    /** Those of the wiring. */
    public final SortedMap<String, OcsSwitch> switches;
    /** Likewise. */
    public final List<OcsPod> pods;

    public final SortedMap<String, SortedSet<Circuit>> lit = new TreeMap<>();
    public final SortedSet<String> silent = new TreeSet<>();
    /** What the drivers of silent switches say why. */
    final SortedMap<String, String> silences = new TreeMap<>();

    final SortedSet<String> foreign = new TreeSet<>();
    public final SortedSet<String> dark = new TreeSet<>();
    final SortedSet<String> silentPods = new TreeSet<>();
    /** Pods whose device does not answer, and whose light burns on. */
    final SortedSet<String> mutePods = new TreeSet<>();
    /** Strands of fibre that carry no light, as switch/port. */
    final SortedSet<String> cut = new TreeSet<>();
    /** Pods whose device reports failed ports of its own. */
    final SortedMap<String, SortedMap<String, String>> failedFarPorts = new TreeMap<>();
    /** Whether switches list where their fibres end. */
    public boolean hinted;
    /** Whether no driver tells of the far ends. */
    boolean untold;
    /** Whether switches measure what enters them. */
    public boolean measuring;

    /** Whether switches measure what every circuit loses. */
    boolean measuringLoss;

    /** Whether a switch that measures tells of ports that no light enters. */
    public boolean tellingDark;
    /** What is lost where a strand is plugged in, in dB, as switch/port. */
    final SortedMap<String, Double> dirt = new TreeMap<>();
    /** What circuits lose, by switch and port; those that are not named are not measured. */
    final SortedMap<String, SortedMap<String, Double>> losses = new TreeMap<>();
    /** What the factory measured of these, likewise. */
    final SortedMap<String, SortedMap<String, Double>> factoryLosses = new TreeMap<>();
    /** What far ends told before, while news of them come late; empty when they come at once. */
    final SortedMap<String, DeviceState> late = new TreeMap<>();
    /** Of jobs wished from now on; empty where their pods say when light may move. */
    Optional<Duration> grace = Optional.empty();

    public final SortedMap<String, SortedMap<String, String>> failedPorts = new TreeMap<>();
    /** Elements that do not move, as switch/port: circuits on them stay, and at the first move the device says so. */
    final SortedSet<String> stuck = new TreeSet<>();
    /** Elements that do not move either, and no alarm tells. */
    final SortedSet<String> deaf = new TreeSet<>();

    /** Switches that reject every change, and no alarm tells. */
    final SortedSet<String> refusing = new TreeSet<>();

    /** Switches that take circuits down and make none, and no alarm tells. */
    final SortedSet<String> breaking = new TreeSet<>();

    /** Of devices that do not have the ports they are wired by; empty when not read. */
    public final SortedMap<String, Optional<Inventory>> inventories = new TreeMap<>();

    /** How the administrator describes switches whose fibres are otherwise. */
    public final SortedMap<String, OcsSwitch> described = new TreeMap<>();

    final SortedMap<String, List<Signal>> nodeSignals = new TreeMap<>();
    final SortedMap<String, List<String>> moreNodes = new TreeMap<>();
    final SortedSet<String> goneNodes = new TreeSet<>();
    public final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    public final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    final List<Decision> decisions = new ArrayList<>();
    OcsTopology topology;
    public FabricPolicy policy = FabricPolicy.standard();
    boolean paused;
    boolean retiring;
    DriverState.Contact contact = DriverState.Contact.SYNCED;
    /** Whether no driver has told of any device yet, as at the beginning of a term. */
    boolean unheard;
    /** By role, epochs that nobody of ours gave. */
    final SortedMap<String, EpochMark> strange = new TreeMap<>();
    /** By role, what devices remember of our records. */
    final SortedMap<String, Long> revisions = new TreeMap<>();

    public Instant now = Instant.parse("2026-01-01T00:00:00Z");
    SortedSet<String> quarantined = new TreeSet<>();
    public final SortedMap<String, TopologyAnswer> answers = new TreeMap<>();
    final SortedMap<String, TopologyQuestion> asked = new TreeMap<>();
    /** A ring in the same world, with the same clock. */
    Optional<ToyRing> beside = Optional.empty();
    /** Whether questions are answered at once. */
    public boolean answering = true;
    /** Whether a stage takes down at once and lights only when nothing else can be done. */
    boolean slow;
    /** Ports that are told to move, by switch. */
    final SortedMap<String, SortedSet<String>> moving = new TreeMap<>();
    /** Hears of every pass. */
    BiConsumer<World, Deliberation> heard = (world, deliberation) -> {};
    /** Called whenever light has changed. */
    Runnable watch = () -> {};

    /** Whether records are written one a step, while decisions go on. */
    boolean oneByOne;
    /** That a pass may simulate for comparison. */
    int mostTransfers = Forecasts.MOST_TRANSFERS;

    /** What a person asks about the fibres of a switch, by its name. */
    final SortedMap<String, String> discover = new TreeMap<>();
    /** What a person declared healthy, by name of the node or switch. */
    final SortedMap<String, Instant> clearances = new TreeMap<>();
    /** As the statuses of switches tell. */
    SortedMap<String, SwitchDiscovery> fibres = new TreeMap<>();

    private SortedMap<String, FabricDiscovery> discoveries = new TreeMap<>();
    private final List<Decision.Adopt.Entry> writing = new ArrayList<>();
    private final ToyChanges changes = new ToyChanges(this);
    private SortedMap<String, FaultTracker> trackers = new TreeMap<>();
    private RecordedFaults told = RecordedFaults.none();
    private boolean massFailure;
    SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    private final Unchanged unchanged = new Unchanged();
    private long counter;
    private int versions;

    ToyOcs(OcsTopology topology, int podCount, int switchCount, DeviceKind kind, int portsPerPod, int spares) {
        this.topology = topology;
        this.wiring = new ToyWiring(podCount, switchCount, kind, portsPerPod, spares);
        this.switches = wiring.switches;
        this.pods = wiring.pods;
        switches.keySet().forEach(name -> lit.put(name, new TreeSet<>()));
    }

    public static ToyOcs polarFly(int order, int spareSwitches) {
        return new ToyOcs(
                new OcsTopology.PolarFly(order, List.of()),
                order * order + order + 1,
                order + 1 + spareSwitches,
                DeviceKind.ANY_TO_ANY,
                1,
                0);
    }

    public static ToyOcs torus(String cubes, int pods, int portsPerPod) {
        return new ToyOcs(
                new OcsTopology.TwistedTorus(dev.lightpath.planner.torus.Shape.parse(cubes)),
                pods,
                48,
                DeviceKind.TWO_SIDED,
                portsPerPod,
                portsPerPod - 1);
    }

    /** Pods of nodes with eight GPUs each; every pod has {@code portsPerPod} ports on each switch. */
    public static ToyOcs logical(int pods, int nodesPerPod, int switches, DeviceKind kind, int portsPerPod) {
        ToyOcs ocs = new ToyOcs(new OcsTopology.Logical(), pods, switches, kind, portsPerPod, 0);
        ocs.pods.clear();
        for (int pod = 0; pod < pods; pod++) {
            SortedMap<String, List<Signal>> nodes = new TreeMap<>();
            for (int node = 0; node < nodesPerPod; node++) {
                nodes.put("node-" + pod + "-" + node, List.of());
            }
            ocs.pods.add(new OcsPod(pod(pod), pod, 8 * nodesPerPod, switches * portsPerPod, nodes, true));
        }
        return ocs;
    }

    /** Two replicas of two stages of eight GPUs, each in a pod of its own. */
    public static Demand.Traffic twoByTwo() {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 2, 1, 1), new Batch(16, 1, 4096, true), 1);
    }

    public static String pod(int index) {
        return String.format("pod-%02d", index);
    }

    /** The same switch with other fibres. */
    public static OcsSwitch rewired(OcsSwitch of, List<OcsSwitch.Wire> wires) {
        return new OcsSwitch(of.name(), of.device(), of.kind(), of.plane(), wires, of.reserved(), of.drained());
    }

    public ToyOcs wishStatic(boolean wanted) {
        wish(STATIC, new JobId("", "", ""), new Demand.Topology(), Integer.MIN_VALUE, wanted, new Workload.LightOnly());
        return this;
    }

    public SliceId wishTorus(String name, String chips, boolean wanted, Workload workload) {
        SliceId id = new SliceId("team", name);
        wish(
                id,
                new JobId("team", name, "uid-" + name),
                new Demand.TorusShape(dev.lightpath.planner.torus.Shape.parse(chips)),
                0,
                wanted,
                workload);
        return id;
    }

    /** A job whose traffic decides, like any other, of whose pods nobody tells. */
    public SliceId wishTraffic(String name, Demand.Traffic traffic) {
        return wishTraffic(name, traffic, 0, true, new Workload.LightOnly());
    }

    /** A job whose traffic decides, as the preset of that name, unless the parallelism says otherwise. */
    public SliceId wishTraffic(String name, Demand.Traffic traffic, int priority, boolean wanted, Workload workload) {
        SliceId id = new SliceId("team", name);
        wish(id, new JobId("team", name, "uid-" + name), traffic, priority, wanted, workload);
        return id;
    }

    /** Its user wants it no longer. */
    public void unwish(SliceId id) {
        SliceIntent was = slices.get(id);
        wish(id, was.job(), was.demand(), was.priority(), false, was.workload());
    }

    private void wish(SliceId id, JobId job, Demand demand, int priority, boolean wanted, Workload workload) {
        slices.put(
                id,
                Request.of(
                                id,
                                job,
                                "spine",
                                demand,
                                slices.containsKey(id) ? slices.get(id).createdAt() : now)
                        .priority(priority)
                        .wanted(wanted)
                        .workload(workload)
                        .replacement(grace.<Replacement>map(Replacement.After::new)
                                .orElseGet(() -> workload.usesLight()
                                        ? new Replacement.WithWorkload()
                                        : new Replacement.Immediately()))
                        .build());
        ledger.putIfAbsent(id, new LedgerEntry(Optional.empty(), "v" + versions++));
    }

    /** A person lets a slice go though its light may burn on. */
    void force(SliceId id) {
        slices.put(id, slices.get(id).but().wanted(false).forced(true).build());
    }

    /** Its user changes when its light may move. */
    void reconfigure(SliceId id, Reconfiguration when) {
        slices.put(id, slices.get(id).but().reconfiguration(when).build());
    }

    public void forget(SliceId id) {
        slices.remove(id);
        ledger.remove(id);
    }

    void fail(String name, String port) {
        failedPorts.computeIfAbsent(name, of -> new TreeMap<>()).put(port, "PortFailed");
    }

    /** From now on no news of far ends come, until {@link #late} is empty again. */
    public void delayNews() {
        pods.forEach(pod -> late.put(pod.name(), new ToyDevices(this).farEnd(pod.name())));
    }

    void nodeFails(int pod) {
        nodeSignals.put(
                pod(pod), List.of(new Signal(new Subject.OfNode("node-" + pod), "NodeNotReady", Duration.ZERO)));
    }

    /** Describes all switches as striped by another number of ports for each pod than their fibres are. */
    public void misdescribe(int portsPerPod) {
        wiring.striped(portsPerPod).forEach(of -> described.put(of.name(), of));
    }

    public World world() {
        SortedMap<String, OcsSwitch> as = new TreeMap<>(switches);
        as.putAll(described);
        List<OcsPod> seen = pods.stream()
                .map(pod -> new OcsPod(
                        pod.name(), pod.index(), pod.gpus(), pod.ports(), seen(pod), pod.placeable(), pod.closed()))
                .toList();
        OcsIntent intent = new OcsIntent(
                "spine",
                "cluster/spine",
                seen,
                as,
                topology,
                policy,
                paused,
                Optional.empty(),
                retiring,
                List.of(),
                quarantined,
                told,
                clearances,
                8,
                400,
                asked());
        SortedMap<String, DeviceState> devices = new TreeMap<>();
        ToyDevices shown = new ToyDevices(this);
        switches.values().forEach(of -> devices.put(of.device().device(), shown.ofSwitch(of, changes.operation(of))));
        if (!untold) {
            pods.forEach(pod -> devices.put(pod.name(), shown.farEnd(pod.name())));
        }
        devices.putAll(late);
        SortedMap<SliceId, SliceIntent> wishes = new TreeMap<>(slices);
        SortedMap<SliceId, LedgerEntry> records = new TreeMap<>(ledger);
        if (unheard) {
            devices.clear();
        }
        Optional<World> ring = beside.map(ToyRing::world);
        ring.ifPresent(other -> devices.putAll(other.driver(DRIVER).devices()));
        ring.ifPresent(other -> {
            wishes.putAll(other.slices());
            records.putAll(other.ledger());
        });
        return Scene.at(now, new StageId(7, counter + 1))
                .rings(ring.map(World::rings).orElseGet(TreeMap::new))
                .ocsFabrics(new TreeMap<>(Map.of("spine", intent)))
                .slices(wishes, records)
                .drivers(new TreeMap<>(Map.of(
                        DRIVER,
                        new DriverState(
                                contact,
                                Optional.empty(),
                                "toy",
                                "1",
                                7,
                                devices,
                                false,
                                strange,
                                revisions,
                                DriverState.foreign(devices)))))
                .underWay(
                        changes.underWay(),
                        writing.stream()
                                .collect(Collectors.toMap(
                                        Decision.Adopt.Entry::slice,
                                        Decision.Adopt.Entry::allocation,
                                        (one, other) -> other,
                                        TreeMap::new)),
                        new TreeSet<>(),
                        changes.setbacks())
                .known(trackers, answers, remembered)
                .discoveries(discoveries)
                .world();
    }

    private SortedMap<String, DiscoveryRequest> asked() {
        SortedMap<String, DiscoveryRequest> asked = new TreeMap<>();
        for (String name : switches.keySet()) {
            Optional<String> request = Optional.ofNullable(discover.get(name));
            Optional<SwitchDiscovery> recorded =
                    Optional.ofNullable(fibres.get(name)).map(ToyOcs::written);
            if (request.isPresent() || recorded.isPresent()) {
                asked.put(name, new DiscoveryRequest(request, recorded));
            }
        }
        return asked;
    }

    /** A status has no tally. */
    private static SwitchDiscovery written(SwitchDiscovery of) {
        return new SwitchDiscovery(
                of.request(), of.over(), of.waitsFor(), of.ends(), of.circuits(), of.probes(), of.found(), Tally.NONE);
    }

    private SortedMap<String, List<Signal>> seen(OcsPod pod) {
        SortedMap<String, List<Signal>> nodes = new TreeMap<>();
        pod.nodes()
                .keySet()
                .forEach(node -> nodes.put(
                        node, nodeSignals.getOrDefault(node, nodeSignals.getOrDefault(pod.name(), List.of()))));
        moreNodes
                .getOrDefault(pod.name(), List.of())
                .forEach(node -> nodes.put(node, nodeSignals.getOrDefault(node, List.of())));
        goneNodes.forEach(nodes::remove);
        return nodes;
    }

    /** Elements move again, and alarms that said otherwise are gone. */
    void mend() {
        stuck.clear();
        deaf.clear();
        failedPorts.values().forEach(ports -> ports.values().removeIf(DeviceState.STUCK::equals));
    }

    /** One pass and its effect, done at once. */
    public Deliberation step() {
        World world = unchanged.since(world());
        Deliberation deliberation = mostTransfers == Forecasts.MOST_TRANSFERS
                ? FabricEngine.deliberate(world)
                : FabricEngine.decide(world, mostTransfers).deliberation();
        heard.accept(world, deliberation);
        trackers = deliberation.faults();
        massFailure = Optional.ofNullable(deliberation.fabrics().get("spine"))
                .flatMap(FabricVerdict::massFailure)
                .isPresent();
        remembered = deliberation.remembered();
        FabricDiscovery found = deliberation.ocsFabrics().get("spine").discovery();
        discoveries = new TreeMap<>(Map.of("spine", found));
        fibres = new TreeMap<>(found.switches());
        quarantined = deliberation.fabrics().get("spine").quarantinedPorts();
        decisions.add(deliberation.decision());
        if (answering && !deliberation.questions().isEmpty()) {
            deliberation.questions().forEach((digest, each) -> {
                asked.put(digest, each.question());
                answers.put(digest, each.question().answer(new DeltaPlanner(), SearchLimits.standard()));
            });
            return step();
        }
        switch (deliberation.decision()) {
            case Decision.Rest rest -> {
                if (!writing.isEmpty()) {
                    adopt(writing.removeFirst());
                    return step();
                }
                if (changes.endNext()) {
                    return step();
                }
            }
            case Decision.Observe observe -> throw new AssertionError("nothing is ever unknown here: " + observe);
            case Decision.Adopt adopt -> {
                if (oneByOne) {
                    writing.addAll(adopt.entries());
                } else {
                    adopt.entries().forEach(this::adopt);
                }
            }
            case Decision.Apply apply -> {
                apply(apply.stage());
                if (!writing.isEmpty()) {
                    adopt(writing.removeFirst());
                }
            }
        }
        return deliberation;
    }

    /** Refuses, as the API server does, what was decided by another version of the record. */
    void adopt(Decision.Adopt.Entry entry) {
        SortedMap<SliceId, LedgerEntry> records =
                slices.containsKey(entry.slice()) ? ledger : beside.orElseThrow().ledger;
        LedgerEntry before = records.get(entry.slice());
        if (before != null && !before.version().equals(entry.version())) {
            throw new AssertionError(entry.slice() + ": decided by " + entry.version() + ", is " + before.version());
        }
        records.put(entry.slice(), new LedgerEntry(Optional.of(entry.allocation()), "v" + versions++));
        if (records == ledger) {
            noPortInTwoRecords();
        }
    }

    /** Of jobs whose traffic decides: a static topology lends ports by records of its own. */
    private void noPortInTwoRecords() {
        SortedMap<String, SliceId> holders = new TreeMap<>();
        ledger.forEach((id, entry) -> entry.allocation()
                .filter(of -> of.prediction().isPresent())
                .ifPresent(allocation -> allocation
                        .circuits()
                        .forEach((name, circuit) -> PortUse.of(
                                        name, switches.get(name).kind(), circuit)
                                .forEach(use -> {
                                    SliceId other = holders.putIfAbsent(use.toString(), id);
                                    if (other != null && !other.equals(id)) {
                                        throw new AssertionError(use + " is in the records of " + other + " and " + id);
                                    }
                                }))));
    }

    private void apply(Stage stage) {
        counter = stage.id().counter();
        if (stage.role().endsWith("/ring-a")) {
            beside.orElseThrow().apply(stage);
        } else {
            changes.apply(stage);
        }
    }

    /** Another process goes on, and what was under way at devices ends there later. */
    void restartWithChangesUnderWay() {
        changes.leaveUnderWay();
        restart();
    }

    /**
     * Another process goes on: what was under way has ended, and only the ledger is known, and the faults that were
     * told of.
     */
    void restart() {
        told = new RecordedFaults(
                trackers.containsKey("spine") ? trackers.get("spine").faults() : List.of(), true, massFailure);
        changes.endAll();
        trackers = new TreeMap<>();
        remembered = new TreeMap<>();
        discoveries = new TreeMap<>();
    }

    /** Steps until the engine rests, and no search goes on. */
    public Deliberation settle() {
        for (int steps = 0; steps < 400; steps++) {
            Deliberation deliberation = step();
            if (deliberation.decision() instanceof Decision.Rest
                    && !deliberation.agenda().goesOn(now)) {
                return deliberation;
            }
        }
        throw new AssertionError(
                "no rest after 400 steps: " + decisions.subList(decisions.size() - 6, decisions.size()));
    }

    /** Settles, lets holds run out, and settles again. */
    public Deliberation settleAfter(Duration time) {
        settle();
        now = now.plus(time);
        return settle();
    }

    public SwitchedLight light() {
        return new SwitchedLight(lit);
    }

    public SwitchedLight recorded(SliceId id) {
        return ledger.get(id).allocation().orElseThrow().circuits();
    }

    /** Of each group, its members. */
    public List<List<String>> nodes(SliceId id) {
        return ledger.get(id).allocation().orElseThrow().groups().stream()
                .map(group ->
                        group.members().stream().map(member -> member.node()).toList())
                .toList();
    }

    List<String> cubes(SliceId id) {
        return ledger.get(id).allocation().orElseThrow().groups().stream()
                .flatMap(group -> group.members().stream())
                .map(member -> pod(member.position()))
                .distinct()
                .toList();
    }
}
