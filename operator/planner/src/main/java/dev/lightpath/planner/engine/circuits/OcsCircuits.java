package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.probing.Probing;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The light that the records of one fabric of switches ask for, held against the light that is there. What no slice
 * holds is foreign, unless an earlier revision of ours lit it; foreign light is left alone, also where it is in the
 * way.
 */
public final class OcsCircuits extends CircuitDiff {
    private final OcsState state;
    private final OcsRecords records;
    private final ShownLight light;
    private final PlannablePorts ports;
    /** A slice that waits for its record, and whose light it may be that no record explains. */
    private final Optional<SliceId> doubted;

    private final OcsDarkness darkness;
    private final Probing probing;

    /** Linear in circuits, but at first contact, when the topology is planned on what is there. */
    public OcsCircuits(OcsState state, List<SliceState> slices) {
        super(state);
        this.state = state;
        this.darkness = OcsDarkness.of(state, slices);
        this.records = new OcsRecords(state, slices, this::isBelieved);
        this.doubted = slices.stream()
                .filter(slice -> slice.intent().wanted()
                        && slice.recorded().isEmpty()
                        && (records.isEmpty() || slice.intent().workload().usesLight()))
                .map(SliceState::id)
                .findFirst();
        this.probing = Probing.of(state, (name, circuit) -> records.isOwned(records.spot(name, circuit)));
        this.light = ShownLight.of(state, records, probing, slices);
        this.ports = new PlannablePorts(state, records, light, slices, this);
    }

    @Override
    public SortedSet<String> quarantinedPorts() {
        return records.quarantined();
    }

    @Override
    boolean unrecorded() {
        return records.isEmpty();
    }

    @Override
    boolean anyUnexplained() {
        return !light.foreign().isEmpty();
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
                    .filter(device ->
                            light.foreign().on(of.name()).stream().anyMatch(circuit -> !device.stuck(circuit)))
                    .ifPresent(device -> names.add(of.name()));
        }
        return names;
    }

    @Override
    public List<String> foreignNames() {
        List<String> names = new ArrayList<>();
        light.foreign().forEach((name, circuit) -> names.add(name + "/" + circuit));
        return names;
    }

    /** Circuits without a record that the static topology wants just so. */
    public SwitchedLight explained() {
        return light.explained();
    }

    public SwitchedLight foreign() {
        return light.foreign();
    }

    /** On which ports which slice may plan. */
    public PlannablePorts ports() {
        return ports;
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
        return decided.beside(light.foreign().size(), foreignRule());
    }

    /**
     * Of circuits of a slice that go dark, those read back dark or taken over by another slice. Circuits on a switch
     * that was removed from the fabric cannot be read. A placed slice keeps them recorded in case the switch comes
     * back. A slice that is being released drops them.
     */
    private SwitchedLight readBackDark(SliceState slice, SwitchedLight going) {
        return going.filter((name, circuit) -> {
            OcsSwitch of = state.intent().switches().get(name);
            boolean forgotten = of == null ? !slice.placed() : isReadDark(of, circuit);
            return forgotten || records.isOwned(new SwitchCircuit(name, circuit));
        });
    }

    private boolean isReadDark(OcsSwitch of, Circuit circuit) {
        return state.device(of)
                .filter(device -> isBelieved(of.device(), device)
                        && !device.moving().contains(circuit.ingress())
                        && !device.reportedTwice(circuit)
                        && !of.shows(device, circuit))
                .isPresent();
    }

    /** They are on switches that are gone, silent or another's, or stuck. */
    @Override
    public boolean isBeyondReach(Allocation allocation) {
        return allocation.darkening().allMatch((name, circuit) -> {
            OcsSwitch of = state.intent().switches().get(name);
            return of == null
                    || state.world().driver(of.device().driver()).synced()
                            && state.device(of)
                                    .filter(device ->
                                            device.present() && !(device.stuck(circuit) && of.shows(device, circuit)))
                                    .isEmpty();
        });
    }

    /**
     * Small steps, each lighting or darkening one circuit. What says of itself that it does not move is not asked to,
     * and of no device what it cannot make (ADR 29).
     */
    @Override
    public List<Due> due() {
        return new OcsSteps(state, records, light, probing, removesForeign()).due(this::takesChange, freeze());
    }

    @Override
    boolean darkens(Allocation recorded, Allocation next) {
        SwitchedLight going = recorded.circuits().minus(next.circuits());
        return !going.shared(light.all()).isEmpty();
    }

    @Override
    boolean isHurt(Allocation recorded) {
        SortedSet<String> nodes = recorded.nodes();
        return losses().anyMatch(fault -> concerns(recorded, nodes, fault.subject()));
    }

    /** Whether a fault took light of a slice. */
    boolean lostLight(SliceState slice) {
        return slice.recorded().filter(this::isHurt).isPresent();
    }

    /**
     * Since when a placed slice has a fault of its own: from then on the user's hold-off counts. {@link Instant#EPOCH}
     * where no fault tells. O(faults * record).
     */
    public Instant hurtSince(SliceState placed) {
        Allocation recorded = placed.recorded().orElseThrow();
        SortedSet<String> nodes = recorded.nodes();
        return state.tracker().faults().stream()
                .filter(fault -> concerns(recorded, nodes, fault.subject()))
                .map(Fault::since)
                .min(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /**
     * Whether what is faulty is a node of the record, the device of one of its pods, or a switch or port of its
     * circuits. A torus needs every chip of its cubes.
     */
    private boolean concerns(Allocation recorded, Set<String> nodes, Subject subject) {
        return switch (subject) {
            case Subject.OfNode of ->
                nodes.contains(of.node())
                        || state.intent().topology() instanceof OcsTopology.TwistedTorus
                                && sits(recorded, pod -> pod.nodes().containsKey(of.node()), of.node());
            case Subject.OfDevice of ->
                !recorded.circuits().on(of.device()).isEmpty()
                        || sits(recorded, pod -> pod.name().equals(of.device()), of.device());
            case Subject.OfPort of ->
                recorded.circuits().on(of.device()).stream().anyMatch(circuit -> circuit.isAt(of.port()));
        };
    }

    /** Whether a member sits in one of these pods, by its position or by this name. */
    private boolean sits(Allocation recorded, Predicate<OcsPod> pods, String name) {
        return state.intent().pods().stream()
                .filter(pods)
                .anyMatch(pod -> recorded.members().stream()
                        .anyMatch(member -> member.position() == pod.index()
                                || member.node().equals(name)));
    }

    @Override
    boolean isUnderWay(Allocation recorded) {
        return anyChanges(recorded.darkening().shared(light.all()))
                || anyChanges(possible(recorded.circuits().minus(light.all())));
    }

    /** Those in whose way no light lies that stays. */
    private SwitchedLight possible(SwitchedLight missing) {
        Set<PortUse> taken =
                state.wiring().uses(removesForeign() ? light.staying().minus(light.foreign()) : light.staying());
        return missing.filter(
                (name, circuit) -> Collections.disjoint(state.wiring().uses(name, circuit), taken));
    }

    /** Whether a switch of one of these circuits answers, and takes changes of it. */
    private boolean anyChanges(SwitchedLight light) {
        return !light.allMatch((name, circuit) -> {
            OcsSwitch of = state.intent().switches().get(name);
            return of == null
                    || state.world().refuses(of.device())
                    || state.device(of)
                            .filter(device -> device.present() && !device.stuck(circuit) && !device.failed(circuit))
                            .isEmpty();
        });
    }

    @Override
    boolean isOpen(SliceState slice, Move move) {
        SwitchedLight fresh = move.circuits().minus(slice.circuits());
        return state.sound(move.circuits())
                && fresh.allMatch((name, circuit) -> {
                    OcsSwitch of = state.intent().switches().get(name);
                    return of != null
                            && !of.drained()
                            && state.wiring().uses(name, circuit).stream()
                                    .noneMatch(port -> ports.takenNow(slice, port));
                });
    }

    @Override
    boolean takesFrom(Allocation next, Allocation other) {
        return next.circuits().isEmpty() && !Collections.disjoint(next.nodes(), other.nodes())
                || !Collections.disjoint(
                        state.wiring().uses(next.circuits()), state.wiring().uses(other.circuits()));
    }

    /** Where the fibres of the fabric lead, as far as it was asked for and is known after this pass. */
    public FabricDiscovery discovery() {
        return probing.after();
    }

    @Override
    public Optional<Instant> wakeAt() {
        return probing.wakeAt();
    }
}
