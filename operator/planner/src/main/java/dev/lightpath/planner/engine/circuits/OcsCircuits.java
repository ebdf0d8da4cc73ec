package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.engine.allocation.CubeMembers;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The light that the records of one fabric of switches ask for, held against the light that is there. What no slice
 * holds is foreign, unless an earlier revision of ours lit it; foreign light is left alone, also where it is in the
 * way.
 */
public final class OcsCircuits extends CircuitDiff {
    /** Holds the light of a static topology whose slice is not written yet. */
    private static final SliceId UNWRITTEN = new SliceId("lightpath", "unwritten-topology");

    private final OcsState state;
    private final Map<SwitchCircuit, SliceState> owner = new HashMap<>();
    private final Map<SwitchCircuit, SliceState> darkening = new HashMap<>();
    /** Slices whose record waits for an answer of their job. */
    private final List<SliceState> asked = new ArrayList<>();

    private final SwitchedLight observed;
    private final SwitchedLight unplanned;
    private final SwitchedLight foreign;
    /** Circuits that no record wants and no change takes down: foreign ones, and those that are stuck. */
    private final SwitchedLight staying;

    private final Optional<SliceId> standing;
    private final SortedSet<String> quarantined = new TreeSet<>();
    /** Ports of circuits that records name, but those of slices that are released by force, as switch/port. */
    private final Set<String> recorded = new HashSet<>();

    /** A slice that waits for its record, and whose light it may be that no record explains. */
    private final Optional<SliceId> doubted;

    private final OcsDarkness darkness;
    private final Probing probing;

    /** Who holds which ports, as it counts for slices that lost light. Null until it is asked for. */
    private @Nullable PortHolders heldFromBroken;

    /** The same as it counts for others: also by what jobs are to have once they agree. */
    private @Nullable PortHolders heldFromOthers;

    /** By slice, whether a fault took light of it. */
    private final Map<SliceId, Boolean> struck = new HashMap<>();

    /** Who holds which ports by circuits of now alone. Null until it is asked for. */
    private @Nullable PortHolders lit;

    private OcsCircuits(OcsState state, List<SliceState> slices) {
        super(state);
        this.state = state;
        this.darkness = OcsDarkness.of(state, slices);
        for (SliceState slice : slices) {
            Allocation allocation = slice.recorded().orElse(null);
            if (allocation != null) {
                allocation.circuits().forEach((name, circuit) -> owner.put(new SwitchCircuit(name, circuit), slice));
                allocation
                        .darkening()
                        .forEach((name, circuit) -> darkening.put(new SwitchCircuit(name, circuit), slice));
                if (allocation.awaitsAnswer()) {
                    asked.add(slice);
                }
            }
        }
        this.doubted = slices.stream()
                .filter(slice -> slice.intent().wanted()
                        && slice.recorded().isEmpty()
                        && (owner.isEmpty() && darkening.isEmpty()
                                || slice.intent().workload().usesLight()))
                .map(SliceState::id)
                .findFirst();
        quarantine(slices);
        this.probing = Probing.of(state, (name, circuit) -> owner.containsKey(canonical(name, circuit)));
        SwitchedLight.Builder seen = new SwitchedLight.Builder();
        SwitchedLight.Builder stray = new SwitchedLight.Builder();
        SwitchedLight.Builder stays = new SwitchedLight.Builder();
        for (OcsSwitch of : state.intent().switches().values()) {
            state.device(of)
                    .ifPresent(device -> device.circuits().circuits().forEach(circuit -> {
                        Circuit ours = state.wiring().canonical(of.name(), circuit);
                        SwitchCircuit spot = new SwitchCircuit(of.name(), ours);
                        seen.add(of.name(), ours);
                        if (!owner.containsKey(spot)
                                && !darkening.containsKey(spot)
                                && !leftBehind(spot)
                                && !probing.isProbe(of.name(), circuit)) {
                            stray.add(of.name(), ours);
                        }
                        if (!owner.containsKey(spot) && darkening.containsKey(spot) && device.stuck(circuit)) {
                            stays.add(of.name(), ours);
                        }
                    }));
        }
        observed = seen.build();
        unplanned = stray.build();
        standing = slices.stream()
                .filter(OcsCircuits::standing)
                .map(SliceState::id)
                .findFirst();
        foreign = findsStanding(slices)
                ? unplanned.minus(StaticTopology.explained(state, unplanned, lent(slices)))
                : unplanned;
        staying = foreign.and(stays.build());
    }

    private static boolean standing(SliceState slice) {
        return slice.intent().demand() instanceof Demand.Topology;
    }

    /**
     * Whether the light of the static topology may be there without a record: none has been written yet, or its slice
     * is one that was written again. Not where it may be that of a job whose record is lost.
     */
    private boolean findsStanding(List<SliceState> slices) {
        return unrecorded()
                || slices.stream()
                        .allMatch(slice -> standing(slice)
                                ? slice.intent().wanted() && slice.recorded().isEmpty()
                                : slice.recorded().isPresent()
                                        || !slice.intent().workload().usesLight());
    }

    /** Cubes that jobs have. */
    private SortedSet<String> lent(List<SliceState> slices) {
        SortedSet<String> lent = new TreeSet<>();
        slices.stream()
                .filter(slice -> !standing(slice))
                .flatMap(slice -> slice.recorded().stream())
                .forEach(allocation -> lent.addAll(CubeMembers.cubes(state.wiring(), allocation)));
        return lent;
    }

    /**
     * Ports that slices released by force left behind, until they are read back dark but for what others record there
     * by now: ours to take down, and for no slice to use but these others (ADR 21).
     */
    private void quarantine(List<SliceState> slices) {
        SortedSet<String> ports = new TreeSet<>(state.intent().quarantinedPorts());
        Set<String> given = new HashSet<>();
        for (SliceState slice : slices) {
            boolean forced = slice.intent().forced();
            // what another slice only takes down there may be gone already, and the light that came after it burn on
            slice.recorded()
                    .map(allocation ->
                            forced ? allocation.circuits().and(allocation.darkening()) : allocation.circuits())
                    .ifPresent(light -> light.forEach(
                            (name, circuit) -> ports(name, circuit).forEach((forced ? given : recorded)::add)));
        }
        ports.addAll(given);
        ports.stream()
                .filter(port -> switchOf(port).isEmpty() ? given.contains(port) : !isDark(port))
                .forEach(quarantined::add);
    }

    private static List<String> ports(String name, Circuit circuit) {
        return List.of(name + "/" + circuit.ingress(), name + "/" + circuit.egress());
    }

    private Optional<OcsSwitch> switchOf(String label) {
        int end = label.indexOf('/');
        return end < 0
                ? Optional.empty()
                : Optional.ofNullable(state.intent().switches().get(label.substring(0, end)));
    }

    /** Whether no circuit without a record is at a port. */
    private boolean isDark(String label) {
        OcsSwitch of = switchOf(label).orElseThrow();
        String port = label.substring(label.indexOf('/') + 1);
        DeviceState device = state.device(of).orElse(null);
        return device != null
                && isBelieved(of.device(), device)
                && !device.moving().contains(port)
                && device.circuits().circuits().stream()
                        .filter(circuit -> circuit.isAt(port))
                        .allMatch(circuit -> isRecorded(spot(of, circuit)));
    }

    private boolean isRecorded(SwitchCircuit spot) {
        SliceState holder = owner.get(spot);
        return holder != null && !holder.intent().forced();
    }

    /** Whether light without a record is of a slice that was released by force. */
    private boolean leftBehind(SwitchCircuit spot) {
        return quarantined.containsAll(ports(spot.opticalSwitch(), spot.circuit()));
    }

    @Override
    public SortedSet<String> quarantinedPorts() {
        return quarantined;
    }

    /** Linear in circuits, but at first contact, when the topology is planned on what is there. */
    public static OcsCircuits of(OcsState state, List<SliceState> slices) {
        return new OcsCircuits(state, slices);
    }

    @Override
    boolean unrecorded() {
        return owner.isEmpty() && darkening.isEmpty();
    }

    @Override
    boolean anyUnexplained() {
        return !foreign.isEmpty();
    }

    @Override
    Optional<SliceId> doubted() {
        return doubted;
    }

    @Override
    SortedSet<String> removable() {
        SortedSet<String> names = new TreeSet<>();
        for (OcsSwitch of : state.intent().switches().values()) {
            state.device(of)
                    .filter(device -> device.present() && !state.world().refuses(of.device()))
                    .filter(device -> foreign.on(of.name()).stream().anyMatch(circuit -> !device.stuck(circuit)))
                    .ifPresent(device -> names.add(of.name()));
        }
        return names;
    }

    @Override
    public List<String> foreignNames() {
        List<String> names = new ArrayList<>();
        foreign.forEach((name, circuit) -> names.add(name + "/" + circuit));
        return names;
    }

    /** Circuits without a record that the static topology wants just so. */
    public SwitchedLight explained() {
        return unplanned.minus(foreign);
    }

    public SwitchedLight foreign() {
        return foreign;
    }

    SwitchedLight observed() {
        return observed;
    }

    /** Ports that a slice may not plan on: under light that stays, or held by another slice. */
    public Set<PortUse> takenFrom(SliceState slice) {
        return held(slice).barredTo(slice.id());
    }

    /** The same, of some pods only: what a plan for these pods looks at. Linear in circuits of these pods. */
    public Set<PortUse> takenFrom(SliceState slice, Collection<String> pods) {
        return held(slice).barredTo(slice.id(), pods);
    }

    /** Whether a slice may not plan on a port of a circuit that is wired. */
    public boolean takenFrom(SliceState slice, PortUse port) {
        return held(slice).barredTo(slice.id(), port);
    }

    /**
     * What jobs are to have once they agree is kept for them, but not from a slice that lost light: their moves are
     * planned anew.
     */
    private PortHolders held(SliceState slice) {
        boolean struck = !asked.isEmpty()
                && this.struck.computeIfAbsent(
                        slice.id(), id -> slice.recorded().filter(this::isHurt).isPresent());
        if (struck) {
            heldFromBroken = heldFromBroken == null ? held(this::makesWay) : heldFromBroken;
            return heldFromBroken;
        }
        heldFromOthers = heldFromOthers == null ? held(other -> makesWay(other) || waits(other)) : heldFromOthers;
        return heldFromOthers;
    }

    /** By their circuits of now, and by those that some of the slices that are asked are to have. */
    private PortHolders held(Predicate<SliceState> coming) {
        PortHolders all = recorded();
        asked.stream()
                .filter(coming)
                .forEach(other -> other.recorded()
                        .flatMap(Allocation::awaited)
                        .orElseThrow()
                        .circuits()
                        .forEach((name, circuit) -> all.hold(other.id(), name, circuit)));
        return all;
    }

    /** By their circuits of now. */
    private PortHolders recorded() {
        PortHolders all = new PortHolders(state.wiring(), inTheWay());
        owner.forEach((spot, holder) -> all.hold(holder.id(), spot.opticalSwitch(), spot.circuit()));
        explained().forEach((name, circuit) -> all.hold(standing.orElse(UNWRITTEN), name, circuit));
        return all;
    }

    /** Ports that no slice may plan on. */
    public Set<PortUse> inTheWay() {
        Set<PortUse> taken = state.wiring().uses(staying);
        for (String label : quarantined) {
            if (recorded.contains(label)) {
                continue;
            }
            String name = label.substring(0, label.indexOf('/'));
            String port = label.substring(label.indexOf('/') + 1);
            taken.addAll(state.wiring().uses(name, new Circuit(port, port)));
        }
        return taken;
    }

    @Override
    Darkness darkness() {
        return darkness;
    }

    /** What is lit; light that is there twice, before the old goes, does not widen it. */
    @Override
    long budgeted() {
        long lit = lit(state.intent().switches().values().stream().flatMap(of -> state.device(of).stream()));
        long planned = state.recorded().size();
        return planned == 0 ? lit : Math.min(lit, planned);
    }

    @Override
    int held(Allocation allocation) {
        return allocation.circuits().size();
    }

    @Override
    int left(Allocation allocation) {
        return allocation.darkening().size();
    }

    @Override
    String awaits(Allocation allocation) {
        return "waiting for darkness to be read back";
    }

    /** Without circuits that are read back dark; a placed slice keeps those for which there is no light yet. */
    @Override
    public Optional<Allocation> readBack(SliceState slice) {
        return slice.recorded().flatMap(allocation -> {
            SwitchedLight dark = readBackDark(slice, allocation.darkening());
            SwitchedLight struck = slice.placed() ? dark.minus(darkness.counting(dark)) : dark;
            return struck.isEmpty()
                    ? Optional.empty()
                    : Optional.of(allocation.struck(Collections.emptySortedSet(), struck));
        });
    }

    /** A slice that lacks ports beside foreign circuits says what a person can do. */
    @Override
    public Placement told(Placement decided) {
        return decided.beside(foreign.size(), foreignRule());
    }

    /**
     * Of circuits of a slice that go dark, those read back dark or taken over by another slice. Circuits on a switch
     * that was removed from the fabric cannot be read. A placed slice keeps them recorded in case the switch comes
     * back. A slice that is being released drops them.
     */
    private SwitchedLight readBackDark(SliceState slice, SwitchedLight going) {
        SwitchedLight.Builder dark = new SwitchedLight.Builder();
        going.forEach((name, circuit) -> {
            OcsSwitch of = state.intent().switches().get(name);
            boolean forgotten = of == null ? !slice.placed() : isReadDark(of, circuit);
            if (forgotten || owner.containsKey(new SwitchCircuit(name, circuit))) {
                dark.add(name, circuit);
            }
        });
        return dark.build();
    }

    private boolean isReadDark(OcsSwitch of, Circuit circuit) {
        return state.device(of)
                .filter(device -> isBelieved(of.device(), device)
                        && !device.moving().contains(circuit.ingress())
                        && !of.shows(device, circuit))
                .isPresent();
    }

    /** They are on switches that are gone, silent or another's, or stuck. */
    @Override
    public boolean isBeyondReach(Allocation allocation) {
        boolean[] only = {true};
        allocation.darkening().forEach((name, circuit) -> {
            OcsSwitch of = state.intent().switches().get(name);
            only[0] &= of == null
                    || state.world().driver(of.device().driver()).synced()
                            && state.device(of)
                                    .filter(device ->
                                            device.present() && !(device.stuck(circuit) && of.shows(device, circuit)))
                                    .isEmpty();
        });
        return only[0];
    }

    /**
     * Small steps, each lighting or darkening one circuit. What says of itself that it does not move is not asked to,
     * and of no device what it cannot make (ADR 29).
     */
    @Override
    public List<Due> due() {
        SortedMap<String, SortedSet<Circuit>> wanted = new TreeMap<>();
        owner.keySet()
                .forEach(spot -> wanted.computeIfAbsent(spot.opticalSwitch(), name -> new TreeSet<>())
                        .add(spot.circuit()));
        List<Due> due = new ArrayList<>();
        Map<String, Set<Circuit>> makingWay = new HashMap<>();
        for (OcsSwitch of : state.intent().switches().values()) {
            DeviceState device = state.device(of).orElse(null);
            if (device != null && takesChange(of.device(), device)) {
                makingWay.put(of.name(), due(of, device, wanted.getOrDefault(of.name(), new TreeSet<>()), due));
            }
        }
        due.addAll(probing.due(List.copyOf(due), makingWay, taken(), frozen()));
        return due;
    }

    @Override
    boolean darkens(Allocation recorded, Allocation next) {
        SwitchedLight going = recorded.circuits().minus(next.circuits());
        return !going.minus(going.minus(observed)).isEmpty();
    }

    @Override
    boolean isHurt(Allocation recorded) {
        SwitchedLight light = recorded.circuits();
        return losses().anyMatch(fault -> switch (fault.subject()) {
            case Subject.OfNode of -> recorded.nodes().contains(of.node());
            case Subject.OfDevice of -> !light.on(of.device()).isEmpty() || isPodOf(recorded, of.device());
            case Subject.OfPort of -> light.on(of.device()).stream().anyMatch(circuit -> circuit.isAt(of.port()));
        });
    }

    @Override
    boolean isUnderWay(Allocation recorded) {
        SwitchedLight dark = recorded.darkening().minus(observed);
        return anyChanges(recorded.darkening().minus(dark))
                || anyChanges(possible(recorded.circuits().minus(observed)));
    }

    /** Those in whose way no light lies that stays. */
    private SwitchedLight possible(SwitchedLight missing) {
        Set<PortUse> taken = state.wiring().uses(removesForeign() ? staying.minus(foreign) : staying);
        SwitchedLight.Builder possible = new SwitchedLight.Builder();
        missing.forEach((name, circuit) -> {
            if (Collections.disjoint(state.wiring().uses(name, circuit), taken)) {
                possible.add(name, circuit);
            }
        });
        return possible.build();
    }

    /** Whether a switch of one of these circuits answers, and takes changes of it. */
    private boolean anyChanges(SwitchedLight light) {
        boolean[] any = {false};
        light.forEach((name, circuit) -> {
            OcsSwitch of = state.intent().switches().get(name);
            any[0] |= of != null
                    && !state.world().refuses(of.device())
                    && state.device(of)
                            .filter(device -> device.present() && !device.stuck(circuit) && !device.failed(circuit))
                            .isPresent();
        });
        return any[0];
    }

    @Override
    boolean isOpen(SliceState slice, Move move) {
        SwitchedLight fresh = move.circuits().minus(slice.lit());
        boolean[] open = {state.sound(move.circuits())};
        PortHolders now = lit == null ? recorded() : lit;
        lit = now;
        fresh.forEach((name, circuit) -> {
            OcsSwitch of = state.intent().switches().get(name);
            open[0] &= of != null
                    && !of.drained()
                    && state.wiring().uses(name, circuit).stream().noneMatch(p -> now.barredTo(slice.id(), p));
        });
        return open[0];
    }

    @Override
    boolean takesFrom(Allocation next, Allocation other) {
        return next.circuits().isEmpty() && !Collections.disjoint(next.nodes(), other.nodes())
                || !Collections.disjoint(
                        state.wiring().uses(next.circuits()), state.wiring().uses(other.circuits()));
    }

    private boolean isPodOf(Allocation recorded, String pod) {
        return state.intent().pods().stream()
                .filter(of -> of.name().equals(pod))
                .anyMatch(of -> recorded.members().stream().anyMatch(member -> member.position() == of.index()));
    }

    /** What keeps probes from being made, while somebody asks where fibres lead. */
    private ChangeFreeze frozen() {
        return state.intent().discovery().isEmpty()
                ? ChangeFreeze.NONE
                : state.freeze(
                        state.newerDevices(),
                        state.heldElsewhere(),
                        awaitingAdoption() && state.intent().policy().adopt().isEmpty());
    }

    /** Ports that somebody uses or may use, by switch: not those of probes alone. */
    private Map<String, Set<String>> taken() {
        Map<String, Set<String>> taken = new HashMap<>();
        if (state.intent().discovery().isEmpty()) {
            return taken;
        }
        Stream.of(owner.keySet(), darkening.keySet())
                .flatMap(Set::stream)
                .forEach(spot -> taken.computeIfAbsent(spot.opticalSwitch(), name -> new HashSet<>())
                        .addAll(List.of(spot.circuit().ingress(), spot.circuit().egress())));
        for (OcsSwitch of : state.intent().switches().values()) {
            Set<String> ports = taken.computeIfAbsent(of.name(), name -> new HashSet<>());
            state.device(of).ifPresent(device -> {
                device.circuits().circuits().stream()
                        .filter(circuit -> !probing.isProbe(of.name(), circuit))
                        .forEach(circuit -> ports.addAll(List.of(circuit.ingress(), circuit.egress())));
                ports.addAll(device.moving());
            });
        }
        for (String label : quarantined) {
            int end = label.indexOf('/');
            taken.computeIfAbsent(label.substring(0, end), name -> new HashSet<>())
                    .add(label.substring(end + 1));
        }
        return taken;
    }

    /** Where the fibres of the fabric lead, as far as it was asked for and is known after this pass. */
    public FabricDiscovery discovery() {
        return probing.after();
    }

    @Override
    public Optional<Instant> wakeAt() {
        return probing.wakeAt();
    }

    /** Returns the lit circuits that make way. */
    private Set<Circuit> due(OcsSwitch of, DeviceState device, SortedSet<Circuit> wanted, List<Due> due) {
        Map<PortUse, Circuit> lit = new HashMap<>();
        device.circuits()
                .circuits()
                .forEach(circuit -> state.wiring()
                        .uses(of.name(), state.wiring().canonical(of.name(), circuit))
                        .forEach(use -> lit.put(use, circuit)));
        Set<Circuit> blockers = new HashSet<>();
        for (Circuit circuit : wanted) {
            if (of.shows(device, circuit) || !possible(device, circuit)) {
                continue;
            }
            SortedSet<Circuit> inTheWay = new TreeSet<>();
            state.wiring().uses(of.name(), circuit).forEach(use -> {
                Circuit other = lit.get(use);
                if (other != null) {
                    inTheWay.add(other);
                }
            });
            if (device.refusal(circuit).isPresent()) {
                // what cannot be made is not asked for, and no placed slice's light makes way for it
                inTheWay.stream()
                        .filter(other -> causeOfDarkness(of, other) == Cause.REPAIR)
                        .forEach(blockers::add);
            } else if (inTheWay.stream().allMatch(other -> makesWay(of, device, other))) {
                blockers.addAll(inTheWay);
                SliceState slice = owner.get(new SwitchCircuit(of.name(), circuit));
                boolean first = slice != null
                        && slice.recorded().map(Allocation::revision).orElse(1L) == 1;
                due.add(step(of, device, inTheWay, List.of(circuit), first ? Cause.PLACE : Cause.REPAIR, slice));
            }
        }
        for (Circuit circuit : device.circuits().circuits()) {
            if (!blockers.contains(circuit)
                    && mayGo(of, device, circuit)
                    && !device.moving().contains(circuit.ingress())) {
                due.add(step(
                        of,
                        device,
                        List.of(circuit),
                        List.of(),
                        causeOfDarkness(of, circuit),
                        darkening.get(spot(of, circuit))));
            }
        }
        return blockers;
    }

    /** Whether a lit circuit goes for one that a record asks for. A probe always does. */
    private boolean makesWay(OcsSwitch of, DeviceState device, Circuit circuit) {
        return mayGo(of, device, circuit) || probing.isProbe(of.name(), circuit) && !device.stuck(circuit);
    }

    private Due step(
            OcsSwitch of,
            DeviceState device,
            Iterable<Circuit> down,
            List<Circuit> up,
            Cause cause,
            @Nullable SliceState slice) {
        SortedSet<Circuit> disconnects = new TreeSet<>();
        down.forEach(disconnects::add);
        boolean underPods = disconnects.stream().anyMatch(circuit -> mayBeUsed(of, circuit));
        return new Due(
                new DeviceChange(of.device(), device.digest(), disconnects, new TreeSet<>(up)),
                cause,
                Optional.ofNullable(slice).map(SliceState::id),
                underPods,
                false);
    }

    private boolean mayBeUsed(OcsSwitch of, Circuit circuit) {
        SliceState slice = darkening.get(spot(of, circuit));
        return slice != null && slice.usesLight();
    }

    private Cause causeOfDarkness(OcsSwitch of, Circuit circuit) {
        SliceState slice = darkening.get(spot(of, circuit));
        if (slice == null) {
            return Cause.CORRECT;
        }
        return slice.placed() ? Cause.REPAIR : Cause.RELEASE;
    }

    /** Whether a lit circuit is no slice's and ours to take down, and can be. */
    private boolean mayGo(OcsSwitch of, DeviceState device, Circuit circuit) {
        SwitchCircuit spot = spot(of, circuit);
        if (owner.containsKey(spot) || device.stuck(circuit)) {
            return false;
        }
        return darkening.containsKey(spot)
                || leftBehind(spot)
                || (foreign.on(of.name()).contains(spot.circuit()) && removesForeign());
    }

    private SwitchCircuit spot(OcsSwitch of, Circuit reported) {
        return canonical(of.name(), reported);
    }

    private SwitchCircuit canonical(String name, Circuit reported) {
        return new SwitchCircuit(name, state.wiring().canonical(name, reported));
    }

    private static boolean possible(DeviceState device, Circuit circuit) {
        return !device.failed(circuit) && !device.moves(circuit);
    }

    @Override
    SortedMap<String, CrossConnects> wantedByDevice() {
        SortedMap<String, CrossConnects> wanted = new TreeMap<>();
        state.recorded().circuits().forEach((name, circuits) -> wanted.put(name, new CrossConnects(circuits)));
        return wanted;
    }
}
