package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * On which ports of a fabric of switches which slice may plan. What jobs are to have once they agree is kept for them,
 * but not from a slice that lost light: their moves are planned anew. Serves one pass.
 */
final class PlannablePorts {
    /**
     * What decides whose light of later counts.
     *
     * @param hurt whether a fault took light of a slice
     * @param makesWay of a slice whose job is asked: whether its light moves now
     * @param waits of such a slice: whether its answer is still waited for
     */
    record Moves(Predicate<SliceState> hurt, Predicate<SliceState> makesWay, Predicate<SliceState> waits) {}

    private final OcsState state;
    private final OcsRecords records;
    private final ShownLight light;
    /** Holds what the static topology explains. */
    private final SliceId topology;
    /** Slices whose record waits for an answer of their job. */
    private final List<SliceState> asked;

    private final Moves moves;

    /** By slice, whether a fault took light of it. */
    private final Map<SliceId, Boolean> hurt = new HashMap<>();

    /** Who holds which ports, as it counts for slices that lost light. Null until it is asked for. */
    private @Nullable PortHolders heldFromBroken;

    /** The same as it counts for others: also by what jobs are to have once they agree. */
    private @Nullable PortHolders heldFromOthers;

    /** Who holds which ports by circuits of now alone. Null until it is asked for. */
    private @Nullable PortHolders recorded;

    PlannablePorts(OcsState state, OcsRecords records, ShownLight light, List<SliceState> slices, Moves moves) {
        this.state = state;
        this.records = records;
        this.light = light;
        this.topology = StaticTopology.holder(slices);
        this.asked = slices.stream()
                .filter(slice ->
                        slice.recorded().filter(Allocation::awaitsAnswer).isPresent())
                .toList();
        this.moves = moves;
    }

    /** Ports that a slice may not plan on: under light that stays, or held by another slice. */
    Set<PortUse> takenFrom(SliceState slice) {
        return held(slice).barredTo(slice.id());
    }

    /** The same, of some pods only: what a plan for these pods looks at. Linear in circuits of these pods. */
    Set<PortUse> takenFrom(SliceState slice, Collection<String> pods) {
        return held(slice).barredTo(slice.id(), pods);
    }

    /** Whether a slice may not plan on a port of a circuit that is wired. */
    boolean takenFrom(SliceState slice, PortUse port) {
        return held(slice).barredTo(slice.id(), port);
    }

    /** Whether another slice has a port by circuits of now, or no slice may. */
    boolean takenNow(SliceState slice, PortUse port) {
        recorded = recorded == null ? ofRecords() : recorded;
        return recorded.barredTo(slice.id(), port);
    }

    /** Ports that no slice may plan on. */
    Set<PortUse> inTheWay() {
        Set<PortUse> taken = state.wiring().uses(light.staying());
        taken.addAll(records.quarantinedUses());
        return taken;
    }

    private PortHolders held(SliceState slice) {
        if (!asked.isEmpty()
                && hurt.computeIfAbsent(slice.id(), id -> moves.hurt().test(slice))) {
            heldFromBroken = heldFromBroken == null ? held(moves.makesWay()) : heldFromBroken;
            return heldFromBroken;
        }
        heldFromOthers = heldFromOthers == null ? held(moves.makesWay().or(moves.waits())) : heldFromOthers;
        return heldFromOthers;
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

    /** By their circuits of now. */
    private PortHolders ofRecords() {
        PortHolders all = new PortHolders(state.wiring(), inTheWay());
        records.forEachOwned((holder, spot) -> all.hold(holder, spot.opticalSwitch(), spot.circuit()));
        light.explained().forEach((name, circuit) -> all.hold(topology, name, circuit));
        return all;
    }
}
