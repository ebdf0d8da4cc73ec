package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * On which ports of a fabric of switches which slice may plan. What jobs are to have once they agree is kept for them,
 * but not from a slice that lost light: their moves are planned anew. Serves one pass.
 */
public final class PlannablePorts {
    /** Light that a slice holds ports with. */
    public record Holding(SliceId holder, SwitchedLight light) {}

    /**
     * All that decides on which ports of a pod a slice may plan.
     *
     * @param holdings of all slices that hold ports of it, in the order in which they count
     * @param blocked ports of it that no slice may plan on
     */
    public record InPod(List<Holding> holdings, Set<PortUse> blocked) {
        private static final InPod FREE = new InPod(List.of(), Set.of());
    }

    /**
     * In which pods records have light.
     *
     * @param ofRecords light of each slice, with its pods
     */
    private record LitPods(OcsWiring wiring, Map<SliceId, Map.Entry<SwitchedLight, Set<String>>> ofRecords) {}

    private static final Slot<LitPods> LIT_PODS = new Slot<>("pods of recorded light");

    private final OcsState state;
    private final OcsRecords records;
    private final ShownLight light;
    private final List<SliceState> slices;
    /** Holds what the static topology explains. */
    private final SliceId topology;
    /** Slices whose record waits for an answer of their job. */
    private final List<SliceState> asked;

    private final OcsCircuits circuits;

    /** By slice, whether a fault took light of it. */
    private final Map<SliceId, Boolean> hurt = new HashMap<>();

    /** Who holds which ports, as it counts for slices that lost light. */
    private final Lazy<PortHolders> heldFromBroken;

    /** The same as it counts for others: also by what jobs are to have once they agree. */
    private final Lazy<PortHolders> heldFromOthers;

    /** Who holds which ports by circuits of now alone. */
    private final Lazy<PortHolders> recorded = new Lazy<>(this::ofRecords);

    private final Lazy<LitPods> litPods = new Lazy<>(this::findLitPods);
    private final Lazy<Map<String, InPod>> podsForBroken;
    private final Lazy<Map<String, InPod>> podsForOthers;

    /** @param circuits of these records: whose light is hurt, makes way or waits is asked once all of them are known */
    PlannablePorts(
            OcsState state, OcsRecords records, ShownLight light, List<SliceState> slices, OcsCircuits circuits) {
        this.state = state;
        this.records = records;
        this.light = light;
        this.slices = slices;
        this.topology = StaticTopology.holder(slices);
        this.asked = slices.stream()
                .filter(slice ->
                        slice.recorded().filter(Allocation::awaitsAnswer).isPresent())
                .toList();
        this.circuits = circuits;
        Predicate<SliceState> toCome = other -> circuits.makesWay(other) || circuits.waits(other);
        this.heldFromBroken = new Lazy<>(() -> held(circuits::makesWay));
        this.heldFromOthers = new Lazy<>(() -> held(toCome));
        this.podsForBroken = new Lazy<>(() -> pods(circuits::makesWay));
        this.podsForOthers = new Lazy<>(() -> pods(toCome));
    }

    /** Whether a slice may not plan on a port: it is under light that stays, or another slice holds it. */
    public Predicate<PortUse> barredTo(SliceState slice) {
        Lazy<PortHolders> held = held(slice);
        return port -> held.get().barredTo(slice.id(), port);
    }

    /** What {@link #barredTo} follows from in a pod: the same of two passes bars the same ports of it. */
    public InPod inPod(SliceState slice, String pod) {
        return (isBroken(slice) ? podsForBroken : podsForOthers).get().getOrDefault(pod, InPod.FREE);
    }

    /** All these ports. Linear in circuits. */
    public Set<PortUse> allBarredTo(SliceState slice) {
        return held(slice).get().barredTo(slice.id());
    }

    /** Whether another slice has a port by circuits of now, or no slice may. */
    boolean takenNow(SliceState slice, PortUse port) {
        return recorded.get().barredTo(slice.id(), port);
    }

    /** Ports that no slice may plan on. */
    public Set<PortUse> inTheWay() {
        Set<PortUse> taken = state.wiring().uses(light.staying());
        taken.addAll(records.quarantinedUses());
        return taken;
    }

    private Lazy<PortHolders> held(SliceState slice) {
        return isBroken(slice) ? heldFromBroken : heldFromOthers;
    }

    private boolean isBroken(SliceState slice) {
        return !asked.isEmpty() && hurt.computeIfAbsent(slice.id(), id -> circuits.lostLight(slice));
    }

    private static SwitchedLight awaited(SliceState asked) {
        return asked.recorded().flatMap(Allocation::awaited).orElseThrow().circuits();
    }

    private Map<String, InPod> pods(Predicate<SliceState> coming) {
        Map<String, InPod> pods = new HashMap<>();
        slices.forEach(slice -> hold(pods, slice.id(), slice.circuits(), podsOf(slice, slice.circuits())));
        SwitchedLight explained = light.explained();
        hold(pods, topology, explained, state.wiring().podsAt(explained));
        asked.stream()
                .filter(coming)
                .forEach(other ->
                        hold(pods, other.id(), awaited(other), state.wiring().podsAt(awaited(other))));
        for (PortUse port : inTheWay()) {
            state.wiring().podsAt(port).forEach(pod -> in(pods, pod).blocked().add(port));
        }
        return pods;
    }

    private static void hold(Map<String, InPod> pods, SliceId holder, SwitchedLight held, Set<String> of) {
        Holding holding = new Holding(holder, held);
        of.forEach(pod -> in(pods, pod).holdings().add(holding));
    }

    /** On ports of which pods some light is; constant if it is what the slice has by its record. */
    @SuppressWarnings("ReferenceEquality")
    public Set<String> podsOf(SliceState slice, SwitchedLight lit) {
        Map.Entry<SwitchedLight, Set<String>> known = litPods.get().ofRecords().get(slice.id());
        return known != null && known.getKey() == lit
                ? known.getValue()
                : state.wiring().podsAt(lit);
    }

    @SuppressWarnings("ReferenceEquality")
    private LitPods findLitPods() {
        Map<SliceId, Map.Entry<SwitchedLight, Set<String>>> before = state.memory()
                .before(LIT_PODS)
                .filter(of -> of.wiring() == state.wiring())
                .map(LitPods::ofRecords)
                .orElse(Map.of());
        Map<SliceId, Map.Entry<SwitchedLight, Set<String>>> now = new HashMap<>();
        for (SliceState slice : slices) {
            SwitchedLight lit = slice.circuits();
            Map.Entry<SwitchedLight, Set<String>> known = before.get(slice.id());
            now.put(
                    slice.id(),
                    known != null && known.getKey() == lit
                            ? known
                            : Map.entry(lit, state.wiring().podsAt(lit)));
        }
        LitPods found = new LitPods(state.wiring(), now);
        state.memory().keep(LIT_PODS, found);
        return found;
    }

    private static InPod in(Map<String, InPod> pods, String pod) {
        return pods.computeIfAbsent(pod, of -> new InPod(new ArrayList<>(), new HashSet<>()));
    }

    /** By their circuits of now, and by those that some of the slices that are asked are to have. */
    private PortHolders held(Predicate<SliceState> coming) {
        PortHolders all = ofRecords();
        asked.stream()
                .filter(coming)
                .forEach(other -> awaited(other).forEach((name, circuit) -> all.hold(other.id(), name, circuit)));
        return all;
    }

    private PortHolders ofRecords() {
        PortHolders all = new PortHolders(state.wiring(), inTheWay());
        records.forEachOwned((holder, spot) -> all.hold(holder, spot.opticalSwitch(), spot.circuit()));
        light.explained().forEach((name, circuit) -> all.hold(topology, name, circuit));
        return all;
    }
}
