package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * On which ports of a fabric of switches which slice may plan. What jobs are to have once they agree is kept for them,
 * but not from a slice that lost light: their moves are planned anew. Serves one pass.
 */
public final class PlannablePorts {
    private final OcsState state;
    private final OcsRecords records;
    private final ShownLight light;
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

    /** @param circuits of these records: whose light is hurt, makes way or waits is asked once all of them are known */
    PlannablePorts(
            OcsState state, OcsRecords records, ShownLight light, List<SliceState> slices, OcsCircuits circuits) {
        this.state = state;
        this.records = records;
        this.light = light;
        this.topology = StaticTopology.holder(slices);
        this.asked = slices.stream()
                .filter(slice ->
                        slice.recorded().filter(Allocation::awaitsAnswer).isPresent())
                .toList();
        this.circuits = circuits;
        this.heldFromBroken = new Lazy<>(() -> held(circuits::makesWay));
        this.heldFromOthers = new Lazy<>(() -> held(other -> circuits.makesWay(other) || circuits.waits(other)));
    }

    /** Whether a slice may not plan on a port: it is under light that stays, or another slice holds it. */
    public Predicate<PortUse> barredTo(SliceState slice) {
        PortHolders held = held(slice);
        return port -> held.barredTo(slice.id(), port);
    }

    /** All these ports. Linear in circuits. */
    public Set<PortUse> allBarredTo(SliceState slice) {
        return held(slice).barredTo(slice.id());
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

    private PortHolders held(SliceState slice) {
        boolean broken = !asked.isEmpty() && hurt.computeIfAbsent(slice.id(), id -> circuits.lostLight(slice));
        return (broken ? heldFromBroken : heldFromOthers).get();
    }

    /** By their circuits of now, and by those that some of the slices that are asked are to have. */
    private PortHolders held(Predicate<SliceState> coming) {
        PortHolders all = ofRecords();
        asked.stream()
                .filter(coming)
                .forEach(other -> other.recorded()
                        .flatMap(Allocation::awaited)
                        .orElseThrow()
                        .circuits()
                        .forEach((name, circuit) -> all.hold(other.id(), name, circuit)));
        return all;
    }

    private PortHolders ofRecords() {
        PortHolders all = new PortHolders(state.wiring(), inTheWay());
        records.forEachOwned((holder, spot) -> all.hold(holder, spot.opticalSwitch(), spot.circuit()));
        light.explained().forEach((name, circuit) -> all.hold(topology, name, circuit));
        return all;
    }
}
