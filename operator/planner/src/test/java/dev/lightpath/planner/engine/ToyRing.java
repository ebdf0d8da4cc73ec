package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.DerivedPlacement;
import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.RecordedFaults;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Reconfiguration;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * A ring in memory that does at once what it is told, so that the engine can be watched deciding to the end. Its port
 * geometry is written out here again, by hops, independently of the engine's.
 */
public final class ToyRing {
    static final String DRIVER = "driver:1";

    public final RingFabric ring;
    public final SortedMap<Integer, String> names = new TreeMap<>();
    public final SortedMap<String, BundleState[]> bundles = new TreeMap<>();
    final SortedSet<String> silent = new TreeSet<>();
    /** No test accepts an epoch from here on. */
    static final long UNACCEPTED = 1000;

    /** What agents of nodes remember that nobody here told them, by node. */
    final SortedMap<String, AgentMemory> agents = new TreeMap<>();

    /** Devices with a driver of their own that is away: they are shown as they were told last. */
    final SortedSet<String> away = new TreeSet<>();
    /** Devices that the driver does not list any more. */
    final SortedSet<String> gone = new TreeSet<>();
    /** Devices that another role holds. */
    final SortedSet<String> foreign = new TreeSet<>();
    /** Devices whose light somebody else made: the driver attributes it to no operation of ours. */
    public final SortedSet<String> handLit = new TreeSet<>();
    /** Devices that do nothing of what they are asked, without an alarm. */
    final SortedSet<String> refusing = new TreeSet<>();
    /** Those of them that do not say no either. */
    final SortedSet<String> unanswering = new TreeSet<>();

    final SortedMap<String, SortedMap<String, String>> failedPorts = new TreeMap<>();
    /** Bundles whose transceiver does not answer: they fail, and their circuits are left out; as device/bundle. */
    final SortedSet<String> unread = new TreeSet<>();

    /** Of devices that are not what the ring takes; empty when not read. */
    public final SortedMap<String, Optional<Inventory>> inventories = new TreeMap<>();

    /** Of the others: one object, as a driver's link has it. */
    private final Optional<Inventory> usual;

    final SortedSet<String> notReady = new TreeSet<>();
    final SortedSet<String> cordoned = new TreeSet<>();
    /** When a person said that the faults of a node are over. */
    final SortedMap<String, Instant> clearances = new TreeMap<>();
    /** Ports of slices released by force, as node/port, until somebody takes them from here. */
    final SortedSet<String> quarantinedPorts = new TreeSet<>();

    public final SortedSet<String> busy = new TreeSet<>();
    public final SortedSet<String> closed = new TreeSet<>();
    /** What is lost where a fibre is plugged in, in dB, as node/port. */
    final SortedMap<String, Double> dirt = new TreeMap<>();
    /** Positions that several claim; none of them is a node of {@link #names} meanwhile. */
    final SortedMap<Integer, List<String>> miswired = new TreeMap<>();

    public final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    public final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    /** Nodes whose receivers tell of no light. */
    final SortedSet<String> deaf = new TreeSet<>();

    public final List<Decision> decisions = new ArrayList<>();
    public FabricPolicy policy = FabricPolicy.standard();
    /** Of wishes made from now on. */
    int priority;

    /** Of the same. */
    String namespace = "team";

    Reconfiguration reconfiguration = Reconfiguration.AT_RESTART;
    boolean paused;
    boolean retiring;
    DriverState.Contact contact = DriverState.Contact.SYNCED;
    /** By role, epochs that nobody of ours gave. */
    final SortedMap<String, EpochMark> strange = new TreeMap<>();
    /** By role, what devices remember of our records. */
    final SortedMap<String, Long> revisions = new TreeMap<>();

    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    SortedMap<String, FaultTracker> trackers = new TreeMap<>();
    private SortedMap<String, PlannerCache> known = new TreeMap<>();
    /** What the process before told of faults. */
    private RecordedFaults recordedFaults = RecordedFaults.none();

    /** What each device told last. */
    final Map<String, DeviceState> told = new HashMap<>();
    /** What that followed from. */
    private final Map<String, Shown> shown = new HashMap<>();

    /** Stages whose outcome nobody knows yet. */
    final List<Stage> flying = new ArrayList<>();

    /** Whether a stage takes down at once and lights only when nothing else can be done. */
    boolean slow;

    /** Records that are being written. */
    private final List<Decision.Adopt.Entry> writing = new ArrayList<>();

    /** Whether records are written one by one, with passes between them. */
    boolean oneByOne;

    /** Whether the first of them is written at once, and each other one when nothing else is to be done. */
    boolean writesLate;
    /** Bundles that were taken down and lead nothing yet, as device/bundle. */
    final SortedSet<String> dark = new TreeSet<>();
    /** Devices whose last change had an unknown outcome. */
    final SortedSet<DeviceId> unsettled = new TreeSet<>();
    /** Hears of every pass. */
    BiConsumer<World, Deliberation> heard = (world, deliberation) -> {};

    private final SortedMap<DeviceId, Backoff> setbacks = new TreeMap<>();

    private final Unchanged unchanged = new Unchanged();
    private long counter;
    private int versions;

    public ToyRing(RingFabric ring) {
        this.ring = ring;
        this.usual = Optional.of(transceivers(ring.reach()));
        for (int position = 0; position < ring.positions(); position++) {
            names.put(position, "n" + position);
            BundleState[] states = new BundleState[ring.reach()];
            java.util.Arrays.fill(states, BundleState.LOOPBACK);
            bundles.put("n" + position, states);
        }
    }

    public static ToyRing of(int positions, int reach) {
        return new ToyRing(RingFabric.of(RingShape.RING, positions, reach, 4));
    }

    public SliceId wish(String name, int groups, int gpusPerGroup) {
        return wish(name, groups, gpusPerGroup, new Workload.LightOnly(), new Replacement.Immediately(), true);
    }

    public SliceId wish(String name, int groups, int gpus, Workload workload, Replacement replacement, boolean wanted) {
        SliceId id = new SliceId(namespace, name);
        slices.put(
                id,
                Request.of(id, "ring-a", new Demand.ScaleUp(groups, gpus), now)
                        .priority(priority)
                        .wanted(wanted)
                        .workload(workload)
                        .replacement(replacement)
                        .relocatable(reconfiguration != Reconfiguration.NEVER)
                        .reconfiguration(reconfiguration)
                        .build());
        ledger.putIfAbsent(id, new LedgerEntry(Optional.empty(), "v" + versions++));
        return id;
    }

    /** A wish that does with fewer groups in whole replicas. */
    public SliceId elastic(String name, Demand.ScaleUp demand) {
        SliceId id = wish(name, demand.groups(), demand.gpusPerGroup());
        slices.put(id, slices.get(id).but().demand(demand).build());
        return id;
    }

    public void unwish(SliceId id) {
        amend(id, false, slices.get(id).workload(), false);
    }

    /** The same wish, but for this. */
    public void amend(SliceId id, boolean wanted, Workload workload, boolean renewed) {
        SliceIntent amended = slices.get(id)
                .but()
                .wanted(wanted)
                .workload(workload)
                .renewed(renewed)
                .build();
        slices.put(id, amended);
    }

    /** A wish of the next attempt of the same job. */
    SliceId again(SliceId id) {
        SliceIntent was = slices.get(id);
        SliceId next = new SliceId(id.namespace(), id.name() + "-again");
        slices.put(
                next,
                Request.of(next, was.job(), was.fabric(), was.demand(), was.createdAt())
                        .attempt(was.attempt() + 1)
                        .priority(was.priority())
                        .workload(was.workload())
                        .replacement(was.replacement())
                        .relocatable(was.relocatable())
                        .reconfiguration(was.relocatable() ? Reconfiguration.AT_RESTART : Reconfiguration.NEVER)
                        .build());
        ledger.put(next, new LedgerEntry(Optional.empty(), "v" + versions++));
        return next;
    }

    /** Records these positions for a wish of whole nodes, as though they had been decided earlier. */
    public SliceId sits(String name, int[]... groups) {
        SliceId id = wish(name, groups.length, groups[0].length * ring.gpusPerNode());
        List<Allocation.Group> members = java.util.Arrays.stream(groups)
                .map(group -> new Allocation.Group(java.util.Arrays.stream(group)
                        .mapToObj(position -> new Allocation.Member("n" + position, position))
                        .toList()))
                .toList();
        ledger.put(id, new LedgerEntry(Optional.of(new Allocation(1, members, new TreeSet<>())), "v" + versions++));
        return id;
    }

    public List<List<Integer>> positions(SliceId id) {
        return ledger.get(id).allocation().orElseThrow().groups().stream()
                .map(group -> group.members().stream()
                        .map(Allocation.Member::position)
                        .toList())
                .toList();
    }

    World world() {
        SortedMap<Integer, RingNode> nodes = new TreeMap<>();
        SortedMap<Integer, String> alone = new TreeMap<>(names);
        miswired.values().forEach(alone.values()::removeAll);
        alone.forEach((position, name) -> nodes.put(
                position,
                new RingNode(
                        name,
                        position,
                        notReady.contains(name)
                                ? List.of(new Signal(new Subject.OfNode(name), "NodeNotReady", Duration.ZERO))
                                : List.of(),
                        !cordoned.contains(name),
                        busy.contains(name),
                        Optional.ofNullable(clearances.get(name)),
                        closed.contains(name))));
        RingIntent intent = new RingIntent(
                "ring-a",
                ring,
                DRIVER,
                "cluster/ring-a",
                nodes,
                miswired,
                new TreeMap<>(),
                policy,
                paused,
                Optional.empty(),
                retiring,
                Optional.empty(),
                quarantinedPorts,
                recordedFaults);
        SortedMap<String, DeviceState> devices = new TreeMap<>();
        bundles.keySet().stream().filter(name -> !gone.contains(name)).forEach(name -> devices.put(name, device(name)));
        return Scene.at(now, new StageId(7, counter + 1))
                .rings(new TreeMap<>(Map.of("ring-a", intent)))
                .slices(slices, ledger)
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
                                DriverState.foreign(devices),
                                agents,
                                new TreeMap<>()))))
                .underWay(flying, beingWritten(), unsettled, setbacks)
                .known(trackers, new TreeMap<>(), known)
                .world();
    }

    private SortedMap<SliceId, Allocation> beingWritten() {
        SortedMap<SliceId, Allocation> records = new TreeMap<>();
        writing.forEach(entry -> records.put(entry.slice(), entry.allocation()));
        return records;
    }

    /** What is remembered of records. */
    SortedMap<SliceId, DerivedPlacement> derived() {
        return derived(known.getOrDefault("ring-a", PlannerCache.nothing()));
    }

    /** What a pass left of records. */
    static SortedMap<SliceId, DerivedPlacement> derived(PlannerCache left) {
        SortedMap<SliceId, DerivedPlacement> derived = new TreeMap<>();
        left.get(RecordedSeats.OF_RECORDS)
                .ifPresent(seats -> seats.slices().stream()
                        .filter(SliceState::placed)
                        .forEach(slice -> derived.put(slice.id(), slice.known().orElseThrow())));
        return derived;
    }

    /** Where nodes sit and what they tell, as the last pass saw it. */
    RingPositions positions() {
        return known.get("ring-a").get(RingPositions.SLOT).orElseThrow();
    }

    /** The same world as one sees it who has just come: nothing is remembered. */
    World forgetful() {
        SortedMap<String, PlannerCache> remembered = known;
        known = new TreeMap<>();
        try {
            return world();
        } finally {
            known = remembered;
        }
    }

    /** The same object as long as it tells the same, as a driver's link has it. */
    private DeviceState device(String name) {
        DeviceState before = told.get(name);
        if (away.contains(name)) {
            shown.remove(name);
            DeviceState gone = before == null ? DeviceState.neverReached() : before.goneAway();
            told.put(name, gone);
            return gone;
        }
        Shown now = shown(name);
        Shown last = shown.put(name, now);
        // most devices tell what they told before each pass, and to compare all of it takes long
        if (before != null && last != null && now.isLike(last)) {
            return before;
        }
        return told.merge(name, state(name, now), (old, fresh) -> old.equals(fresh) ? old : fresh);
    }

    /** All that a device's state follows from. */
    private record Shown(
            DeviceState.Presence presence,
            List<BundleState> bundles,
            SortedSet<String> dark,
            SortedSet<String> unread,
            SortedMap<String, PortLight> light,
            SortedMap<String, String> failed,
            Optional<Inventory> inventory,
            boolean handLit) {
        boolean isLike(Shown other) {
            return presence == other.presence
                    && handLit == other.handLit
                    && inventory.equals(other.inventory)
                    && bundles.equals(other.bundles)
                    && dark.equals(other.dark)
                    && unread.equals(other.unread)
                    && failed.equals(other.failed)
                    && light.equals(other.light);
        }
    }

    private Shown shown(String name) {
        SortedMap<String, PortLight> light = new TreeMap<>();
        BundleState[] states = bundles.get(name);
        for (int bundle = 0; bundle < states.length; bundle++) {
            if (states[bundle] != BundleState.LOOPBACK && !isLeftOut(name, bundle)) {
                light.put("b" + bundle + suffix(states[bundle]), received(name, bundle, states[bundle]));
            }
        }
        return new Shown(
                silent.contains(name)
                        ? DeviceState.Presence.SILENT
                        : foreign.contains(name) ? DeviceState.Presence.FOREIGN : DeviceState.Presence.PRESENT,
                List.of(states),
                new TreeSet<>(dark.subSet(name + "/", name + "0")),
                new TreeSet<>(unread.subSet(name + "/", name + "0")),
                light,
                failed(name),
                inventories.getOrDefault(name, usual),
                handLit.contains(name));
    }

    private boolean isLeftOut(String name, int bundle) {
        return dark.contains(name + "/" + bundle) || unread.contains(name + "/" + bundle);
    }

    private DeviceState state(String name, Shown of) {
        List<Circuit> circuits = new ArrayList<>();
        for (int bundle = 0; bundle < of.bundles().size(); bundle++) {
            if (!isLeftOut(name, bundle)) {
                circuits.add(new Circuit(
                        "b" + bundle + ".common",
                        "b" + bundle + suffix(of.bundles().get(bundle))));
            }
        }
        return new DeviceState(
                of.presence(),
                new CrossConnects(circuits),
                new TreeSet<>(),
                of.bundles().toString() + of.dark() + of.unread(),
                of.light(),
                of.failed(),
                Optional.empty(),
                of.inventory(),
                new CrossConnects(
                        of.handLit()
                                ? List.of()
                                : circuits.stream()
                                        .filter(circuit -> !circuit.egress().endsWith(".loop"))
                                        .toList()),
                new TreeMap<>(),
                new TreeMap<>(),
                Optional.empty());
    }

    private SortedMap<String, String> failed(String name) {
        SortedMap<String, String> failed = new TreeMap<>();
        for (String bundle : unread.subSet(name + "/", name + "0")) {
            for (String port : List.of("common", "loop", "path1", "path2")) {
                failed.put("b" + bundle.substring(name.length() + 1) + "." + port, "PortFailed");
            }
        }
        failed.putAll(failedPorts.getOrDefault(name, Collections.emptySortedMap()));
        return failed;
    }

    /** What a node's device with so many bundles consists of. */
    public static Inventory transceivers(int bundles) {
        SortedMap<String, Inventory.Side> ports = new TreeMap<>();
        SortedMap<String, SortedSet<String>> paths = new TreeMap<>();
        for (int bundle = 0; bundle < bundles; bundle++) {
            String name = "b" + bundle;
            ports.put(name + ".common", Inventory.Side.COMMON);
            ports.put(name + ".loop", Inventory.Side.LOOP);
            ports.put(name + ".path1", Inventory.Side.LINE);
            ports.put(name + ".path2", Inventory.Side.LINE);
            paths.put(name + ".common", new TreeSet<>(List.of(name + ".loop", name + ".path1", name + ".path2")));
        }
        return new Inventory(Inventory.Make.unnamed(), ports, paths);
    }

    private static String suffix(BundleState state) {
        return state == BundleState.LOOPBACK ? ".loop" : state == BundleState.PATH_1 ? ".path1" : ".path2";
    }

    private PortLight received(String name, int bundle, BundleState state) {
        if (deaf.contains(name)) {
            return PortLight.dark();
        }
        int position = Integer.parseInt(name.substring(1));
        int hop = new PortMap(ring.reach()).hopOf(new BundlePath(bundle, state));
        int far = ring.at(position, hop);
        BundlePath back = new PortMap(ring.reach()).pathOf(-hop);
        String farName = "n" + far;
        if (far < 0
                || silent.contains(farName)
                || dark.contains(farName + "/" + back.bundle())
                || bundles.get(farName)[back.bundle()] != back.state()) {
            return PortLight.dark();
        }
        return new PortLight(
                PortLight.Lock.UP,
                Optional.of(new FarEnd(farName, "b" + back.bundle() + suffix(back.state()))),
                OptionalDouble.of(-2 - dirt.getOrDefault(name + "/b" + bundle + suffix(state), 0.0)),
                OptionalDouble.empty());
    }

    /** One pass and its effect, done at once. */
    public Deliberation step() {
        World world = unchanged.since(world());
        Deliberation deliberation = FabricEngine.deliberate(world);
        heard.accept(world, deliberation);
        trackers = deliberation.faults();
        known = deliberation.remembered();
        decisions.add(deliberation.decision());
        switch (deliberation.decision()) {
            case Decision.Rest rest -> {
                if (!writing.isEmpty()) {
                    write(writing.removeFirst());
                } else if (slow && !flying.isEmpty()) {
                    light(flying.removeFirst());
                    return step();
                }
            }
            case Decision.Observe observe -> unsettled.removeAll(observe.devices());
            case Decision.Adopt adopt -> {
                if (oneByOne) {
                    adopt.entries().forEach(this::begin);
                    if (writesLate) {
                        write(writing.removeFirst());
                    }
                } else {
                    adopt.entries().forEach(this::write);
                }
            }
            case Decision.Apply apply -> {
                apply(apply.stage());
                if (!writing.isEmpty() && !writesLate) {
                    write(writing.removeFirst());
                }
            }
        }
        return deliberation;
    }

    /** Whether records are being written: more is heard of them. */
    boolean writes() {
        return !writing.isEmpty();
    }

    private void begin(Decision.Adopt.Entry entry) {
        if (writing.stream().anyMatch(other -> other.slice().equals(entry.slice()))) {
            throw new AssertionError(entry.slice() + " is being written, and is to be written again");
        }
        writing.add(entry);
    }

    /** Refuses what was decided by another version of the record, as the API server does. */
    private void write(Decision.Adopt.Entry entry) {
        LedgerEntry before = ledger.get(entry.slice());
        if (before == null || !before.version().equals(entry.version())) {
            return;
        }
        ledger.put(entry.slice(), new LedgerEntry(Optional.of(entry.allocation()), "v" + versions++));
        SortedSet<String> nodes = entry.allocation().nodes();
        before.allocation().ifPresent(had -> nodes.removeAll(had.nodes()));
        ledger.forEach((slice, other) -> {
            if (!slice.equals(entry.slice())
                    && other.allocation().stream()
                            .anyMatch(held -> held.nodes().stream().anyMatch(nodes::contains))) {
                throw new AssertionError(entry.slice() + " takes a node that " + slice + " has: " + entry.allocation());
            }
        });
    }

    void apply(Stage stage) {
        counter = stage.id().counter();
        for (DeviceChange change : stage.changes()) {
            DeviceId id = change.device();
            if (away.contains(id.device())) {
                throw new AssertionError("a change was sent to " + id + ", whose driver is away");
            }
            AgentMemory memory = agents.get(id.device());
            if (memory != null && memory.strange().values().stream().anyMatch(mark -> mark.epoch() >= UNACCEPTED)) {
                throw new AssertionError("a change was sent to " + id + ", which others write to");
            }
            if (refusing.contains(id.device())) {
                refused(id);
                continue;
            }
            setbacks.remove(id);
            change.disconnects().forEach(circuit -> dark.add(id.device() + "/" + bundle(circuit)));
        }
        if (slow) {
            flying.add(stage);
        } else {
            light(stage);
        }
    }

    private static int bundle(Circuit circuit) {
        return circuit.ingress().charAt(1) - '0';
    }

    private void light(Stage stage) {
        for (DeviceChange change : stage.changes()) {
            DeviceId id = change.device();
            if (refusing.contains(id.device())) {
                continue;
            }
            for (Circuit circuit : change.connects()) {
                int bundle = bundle(circuit);
                dark.remove(id.device() + "/" + bundle);
                bundles.get(id.device())[bundle] = circuit.egress().endsWith(".loop")
                        ? BundleState.LOOPBACK
                        : circuit.egress().endsWith(".path1") ? BundleState.PATH_1 : BundleState.PATH_2;
            }
        }
    }

    /** As the loop does: the first refusal is planned again at once, later ones wait. */
    private void refused(DeviceId id) {
        int count = setbacks.containsKey(id) ? setbacks.get(id).count() + 1 : 1;
        Duration wait = count == 1 ? Duration.ZERO : Duration.ofSeconds(30);
        Reason reason = unanswering.contains(id.device()) ? Reason.INDETERMINATE : Reason.REJECTED;
        setbacks.put(id, new Backoff(reason, "read back is something else", now.plus(wait), count));
    }

    /** What is under way is half made when its outcome becomes unknown: what was taken down is dark. */
    void loseOutcomes() {
        flying.forEach(stage -> unsettled.addAll(stage.devices()));
        flying.clear();
    }

    /** Steps until the engine rests. */
    public Deliberation settle() {
        for (int steps = 0; steps < 200; steps++) {
            boolean wrote = writes();
            Deliberation deliberation = step();
            if (deliberation.decision() instanceof Decision.Rest && !wrote) {
                return deliberation;
            }
        }
        throw new AssertionError(
                "no rest after 200 steps: " + decisions.subList(decisions.size() - 6, decisions.size()));
    }

    /** Another process goes on: only the ledger is known, and the faults that were told of. */
    void restartAsTold() {
        recordedFaults = RecordedFaults.of(trackers.get("ring-a").faults());
        restart();
    }

    /** Another process goes on: only the ledger is known. What was under way stays half made. */
    void restart() {
        flying.clear();
        writing.clear();
        unsettled.clear();
        trackers = new TreeMap<>();
        known = new TreeMap<>();
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    public List<List<String>> groups(SliceId id) {
        return ledger.get(id).allocation().orElseThrow().groups().stream()
                .map(group ->
                        group.members().stream().map(member -> member.node()).toList())
                .toList();
    }

    /** Nodes with a bundle out of loopback. */
    public SortedSet<String> litNodes() {
        SortedSet<String> lit = new TreeSet<>();
        bundles.forEach((name, states) -> {
            for (BundleState state : states) {
                if (state != BundleState.LOOPBACK) {
                    lit.add(name);
                }
            }
        });
        return lit;
    }
}
