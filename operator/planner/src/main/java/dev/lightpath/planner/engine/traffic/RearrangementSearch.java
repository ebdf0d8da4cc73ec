package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.PortWriteOrder;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.traffic.FabricPodPorts.Tenant;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Looks for room for a job whose pods have ports enough, but on different switches: its circuits and those of movable
 * jobs in the same pods striped together, with as little light moved as can be. Every other job keeps its circuits,
 * only on other ports.
 */
final class RearrangementSearch {
    /**
     * Of the search for the least light moved: who has a place is tried for in every pass, who has none needs it more.
     */
    private static final long STEPS = 1_000;

    private static final long MORE_STEPS = 20_000;

    private final OcsState state;
    private final OcsCircuits circuits;
    private final FabricPodPorts room;
    private final SliceState slice;
    private final StagePods stagePods;
    private final Rearrangement.Tries tries;
    private final List<Tenant> movable;
    /** What the job itself has, if it has a place. */
    private final SwitchedLight had;

    /**
     * @param settled jobs whose record changes in this pass already
     * @param tries of this pass, counted in links times switches for who has a place; none is found once they are used
     *     up
     */
    RearrangementSearch(
            OcsState state,
            OcsCircuits circuits,
            FabricPodPorts room,
            Set<SliceId> settled,
            SliceState slice,
            StagePods stagePods,
            Rearrangement.Tries tries) {
        this.state = state;
        this.circuits = circuits;
        this.room = room;
        this.slice = slice;
        this.stagePods = stagePods;
        this.tries = tries;
        this.had = slice.placed() ? room.recorded(slice.id()) : SwitchedLight.none();
        Set<String> pods = stagePods.gpusByPod().keySet();
        boolean asked = room.tenants().values().stream()
                .anyMatch(tenant -> tenant.slice().awaitsAnswer());
        // while one job is asked no other is: what it agrees to may be room enough
        this.movable = room.tenants().values().stream()
                .filter(tenant -> !settled.contains(tenant.slice().id())
                        && moves(tenant, pods)
                        && !(asked && tenant.slice().intent().isAsked()))
                .toList();
    }

    /** Whether the job itself has sound light and nothing of an earlier change is left to be done. */
    boolean settled() {
        return isDone(circuits, slice) && state.sound(had);
    }

    /** Whether nothing of an earlier change is left to be done: what no change makes dark does not count. */
    static boolean isDone(OcsCircuits circuits, SliceState slice) {
        return slice.recorded().map(of -> circuits.isBeyondReach(of)).orElse(true);
    }

    /** With these counts for a job that has its place, while no other moves. */
    Optional<Rearrangement> alone(AssignedCircuits dealt, List<Integer> counts) {
        if (!tries.another(cost(List.of()))) {
            return Optional.empty();
        }
        CircuitAssignment deal = dealt.deal(slice, stagePods, counts, true, had);
        return deal.whole()
                ? Optional.of(new Rearrangement(
                        counts, deal.light(), new TreeMap<>(Map.of(slice.id(), deal.light())), Map.of()))
                : Optional.empty();
    }

    /** With the wanted counts or, where they do not fit, the fewest that join all pods that talk. */
    Optional<Rearrangement> seat(List<Integer> wanted) {
        return whole(wanted).or(() -> whole(stagePods.deal().fewest()));
    }

    /** With these counts. Cost of some stripings over the links of all these jobs. */
    Optional<Rearrangement> whole(List<Integer> counts) {
        if (movable.isEmpty()) {
            return Optional.empty();
        }
        Optional<Rearrangement> found = together(movable, counts);
        // where one job would not get all of its circuits back, it may go without that job
        for (int without = 0; found.isEmpty() && without < movable.size() && movable.size() > 1; without++) {
            List<Tenant> fewer = new ArrayList<>(movable);
            fewer.remove(without);
            found = together(fewer, counts);
        }
        return found;
    }

    /** Links times switches. */
    private long cost(List<Tenant> others) {
        long links = had.size();
        for (Tenant tenant : others) {
            links += recorded(tenant).size();
        }
        return links * state.intent().switches().size();
    }

    /** Whether light of a job may move for others at all, whatever is lit. */
    static boolean yields(SliceState slice) {
        return slice.placed()
                && !slice.lost()
                && !slice.awaitsAnswer()
                && slice.intent().wanted()
                && PortBudgets.movable(slice.intent())
                && slice.recorded().flatMap(Allocation::prediction).isPresent();
    }

    private boolean moves(Tenant tenant, Set<String> pods) {
        return yields(tenant.slice())
                && !tenant.slice().id().equals(slice.id())
                && isDone(circuits, tenant.slice())
                && !Collections.disjoint(tenant.gpus().keySet(), pods)
                && room.isSound(tenant.slice());
    }

    private Optional<Rearrangement> together(List<Tenant> others, List<Integer> wanted) {
        if (!tries.another(slice.placed() ? cost(others) : 1)) {
            return Optional.empty();
        }
        Set<PortUse> theirs = new HashSet<>();
        Map<SliceId, SwitchedLight> neighbours = new LinkedHashMap<>();
        SwitchedLight before = had;
        List<Link> links = new ArrayList<>();
        for (Tenant tenant : others) {
            SwitchedLight of = recorded(tenant);
            neighbours.put(tenant.slice().id(), of);
            theirs.addAll(state.wiring().uses(of));
            before = before.and(of);
            of.forEach((name, circuit) -> state.wiring()
                    .ends(name, circuit)
                    .ifPresent(ends -> links.add(new Link(ends.from(), ends.to(), name))));
        }
        Predicate<PortUse> barred = circuits.ports().barredTo(slice);
        Predicate<PortUse> taken = port ->
                barred.test(port) && !theirs.contains(port) || room.granted().contains(port);
        List<Link> own =
                CircuitAssignment.links(state, stagePods, stagePods.deal().deal(wanted));
        links.addAll(own);
        LinkPlan.Outcome plan = LinkPlan.follow(
                state.wiring(),
                CircuitAssignment.withoutDrained(state),
                taken,
                List.copyOf(links),
                true,
                before,
                state.stripings(),
                slice.placed() ? STEPS : MORE_STEPS);
        if (!plan.missing().isEmpty()) {
            return Optional.empty();
        }
        SharedCircuits shared = SharedCircuits.of(state.wiring(), neighbours, had, own, plan.light());
        return inOrder(others, wanted, neighbours, shared, taken);
    }

    /**
     * As their records can be written. A slice that gives way meanwhile is certain to get all of its circuits in the
     * next pass.
     */
    private Optional<Rearrangement> inOrder(
            List<Tenant> others,
            List<Integer> wanted,
            Map<SliceId, SwitchedLight> neighbours,
            SharedCircuits shared,
            Predicate<PortUse> taken) {
        Map<SliceId, SwitchedLight> after = new LinkedHashMap<>(shared.neighbours());
        Map<SliceId, SwitchedLight> before = new LinkedHashMap<>(neighbours);
        after.put(slice.id(), shared.own());
        if (slice.placed()) {
            before.put(slice.id(), had);
        }
        before.entrySet().removeIf(each -> each.getValue().equals(after.get(each.getKey())));
        // whoever is asked does not stand aside: others would have its ports before it has agreed to come back
        Set<SliceId> patient = new HashSet<>(neighbours.keySet());
        others.stream()
                .map(Tenant::slice)
                .filter(other -> other.intent().isAsked())
                .forEach(other -> patient.remove(other.id()));
        return PortWriteOrder.of(state.wiring(), before, after, patient)
                .flatMap(order -> returns(others, order, after, taken)
                        .map(returning -> new Rearrangement(wanted, shared.own(), order.records(), returning)));
    }

    /**
     * What those who stand aside are given in the next pass; empty where it is not all of theirs, or moves what they
     * keep.
     */
    private Optional<Map<SliceId, SwitchedLight>> returns(
            List<Tenant> others, PortWriteOrder order, Map<SliceId, SwitchedLight> after, Predicate<PortUse> taken) {
        Map<SliceId, SwitchedLight> returning = new LinkedHashMap<>();
        Map<SliceId, SwitchedLight> then = new LinkedHashMap<>(after);
        then.putAll(order.records());
        for (Tenant tenant : others) {
            SliceId id = tenant.slice().id();
            if (!order.aside().contains(id)) {
                continue;
            }
            SwitchedLight kept = then.getOrDefault(id, SwitchedLight.none());
            Set<PortUse> busy = new HashSet<>();
            then.forEach((other, of) ->
                    busy.addAll(other.equals(id) ? Set.of() : state.wiring().uses(of)));
            CircuitAssignment deal = CircuitAssignment.of(
                    state,
                    taken.or(busy::contains),
                    tenant.stagePods(),
                    tenant.slice()
                            .recorded()
                            .flatMap(Allocation::prediction)
                            .orElseThrow()
                            .circuits(),
                    true,
                    kept);
            if (!deal.whole() || !kept.minus(deal.light()).isEmpty()) {
                return Optional.empty();
            }
            then.put(id, deal.light());
            returning.put(id, deal.light());
        }
        return Optional.of(returning);
    }

    private static SwitchedLight recorded(Tenant tenant) {
        return tenant.slice().recorded().orElseThrow().circuits();
    }
}
