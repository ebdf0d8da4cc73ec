package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.PodRoom.Tenant;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Looks for room for a job whose pods have ports enough, but on different switches: its circuits and those of movable jobs in the same
 * pods striped together, with as little light moved as can be. Every other job keeps its circuits, only on other ports.
 */
final class RearrangementSearch {
    /** Of the search for the least light moved: who has a place is tried for in every pass, who has none needs it more. */
    private static final long STEPS = 1_000;

    private static final long MORE_STEPS = 20_000;

    private final OcsScene scene;
    private final OcsLight light;
    private final PodRoom room;
    private final Claim claim;
    private final StageSeats seating;
    private final Rearrangement.Tries tries;
    private final List<Tenant> movable;
    /** What the job itself has, if it has a place. */
    private final SwitchedLight had;

    /**
     * @param settled jobs whose record changes in this pass already
     * @param tries of this pass, counted in links times switches for who has a place; none is found once they are used up
     */
    RearrangementSearch(
            OcsScene scene,
            OcsLight light,
            PodRoom room,
            Set<SliceId> settled,
            Claim claim,
            StageSeats seating,
            Rearrangement.Tries tries) {
        this.scene = scene;
        this.light = light;
        this.room = room;
        this.claim = claim;
        this.seating = seating;
        this.tries = tries;
        this.had = claim.placed() ? room.recorded(claim.id()) : SwitchedLight.none();
        this.movable = room.tenants().values().stream()
                .filter(tenant -> !settled.contains(tenant.claim().id()) && moves(tenant))
                .toList();
    }

    /** Whether the job itself has sound light and nothing of an earlier change is left to be done. */
    boolean settled() {
        return claim.recorded().map(of -> of.darkening().isEmpty()).orElse(true) && sound(had);
    }

    /** With these counts for a job that has its place, nobody else moving. */
    Optional<Rearrangement> alone(DealtLight dealt, List<Integer> counts) {
        if (!tries.another(cost(List.of()))) {
            return Optional.empty();
        }
        CircuitDeal deal = dealt.deal(claim, seating, counts, true, had);
        return deal.whole()
                ? Optional.of(new Rearrangement(counts, deal.light(), new TreeMap<>(Map.of(claim.id(), deal.light()))))
                : Optional.empty();
    }

    /** With the wanted counts or, where they do not fit, the fewest that join all pods that talk. */
    Optional<Rearrangement> seat(List<Integer> wanted) {
        return whole(wanted).or(() -> whole(CircuitDeal.fewest(seating.deal(), wanted)));
    }

    /** With these counts. Cost of some stripings over the links of all these jobs. */
    Optional<Rearrangement> whole(List<Integer> counts) {
        if (movable.isEmpty()) {
            return Optional.empty();
        }
        Optional<Rearrangement> found = together(movable, counts);
        // jobs that change places with each other cannot be recorded one by one: without one of them it may go
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
        return links * scene.intent().switches().size();
    }

    private boolean moves(Tenant tenant) {
        Allocation recorded = tenant.claim().recorded().orElse(null);
        return recorded != null
                && !tenant.claim().inherits()
                && !tenant.claim().id().equals(claim.id())
                && tenant.claim().placed()
                && tenant.claim().intent().wanted()
                && recorded.prediction().isPresent()
                && recorded.darkening().isEmpty()
                && PortBudgets.movable(tenant.claim().intent())
                && tenant.gpus().keySet().stream()
                        .anyMatch(pod -> seating.gpusByPod().containsKey(pod))
                && sound(recorded.circuits());
    }

    private boolean sound(SwitchedLight of) {
        boolean[] sound = {true};
        of.forEach((name, circuit) -> sound[0] &= scene.health().supports(name, circuit)
                && scene.wiring().ends(name, circuit).isPresent());
        return sound[0];
    }

    private Optional<Rearrangement> together(List<Tenant> others, List<Integer> wanted) {
        if (!tries.another(claim.placed() ? cost(others) : 1)) {
            return Optional.empty();
        }
        Set<PortUse> taken = new HashSet<>(light.takenFrom(claim));
        SwitchedLight before = had;
        List<Link> links = new ArrayList<>();
        for (Tenant tenant : others) {
            SwitchedLight lit = recorded(tenant);
            taken.removeAll(ports(lit));
            before = before.and(lit);
            lit.forEach((name, circuit) -> scene.wiring()
                    .ends(name, circuit)
                    .ifPresent(ends -> links.add(new Link(ends.from(), ends.to(), name))));
        }
        taken.addAll(room.granted());
        List<Link> own = CircuitDeal.links(scene, seating, seating.deal().deal(wanted));
        links.addAll(own);
        LinkPlan.Outcome plan = LinkPlan.follow(
                scene.wiring(),
                CircuitDeal.withoutDrained(scene),
                taken,
                List.copyOf(links),
                true,
                before,
                claim.placed() ? STEPS : MORE_STEPS);
        if (!plan.missing().isEmpty()) {
            return Optional.empty();
        }
        Map<SliceId, SwitchedLight> after = new LinkedHashMap<>();
        Map<SliceId, SwitchedLight> held = new LinkedHashMap<>();
        SwitchedLight left = shareOut(others, own, plan.light(), after);
        others.forEach(tenant -> held.put(tenant.claim().id(), recorded(tenant)));
        if (claim.placed()) {
            after.put(claim.id(), left);
            held.put(claim.id(), had);
        }
        held.entrySet().removeIf(each -> each.getValue().equals(after.get(each.getKey())));
        return inOrder(held, after).map(records -> new Rearrangement(wanted, left, records));
    }

    /** Everybody keeps what is his and is still there; for the rest circuits of the same pods are as good. Returns what is left. */
    private SwitchedLight shareOut(
            List<Tenant> others, List<Link> own, SwitchedLight lit, Map<SliceId, SwitchedLight> after) {
        SwitchedLight left = lit;
        for (Tenant tenant : others) {
            SwitchedLight gone = recorded(tenant).minus(lit);
            SwitchedLight kept = recorded(tenant).minus(gone);
            after.put(tenant.claim().id(), kept);
            left = left.minus(kept);
        }
        Map<OcsWiring.Ends, Integer> wanted = new HashMap<>();
        own.forEach(link -> wanted.merge(key(link.via(), new OcsWiring.Ends(link.from(), link.to())), 1, Integer::sum));
        SwitchedLight mine = some(had.minus(had.minus(left)), wanted);
        left = left.minus(mine);
        for (Tenant tenant : others) {
            Map<OcsWiring.Ends, Integer> missing = new HashMap<>();
            recorded(tenant)
                    .minus(lit)
                    .forEach((name, circuit) -> scene.wiring()
                            .ends(name, circuit)
                            .ifPresent(ends -> missing.merge(key(name, ends), 1, Integer::sum)));
            SwitchedLight found = some(left, missing);
            left = left.minus(found);
            after.merge(tenant.claim().id(), found, SwitchedLight::and);
        }
        return left.and(mine);
    }

    /** As many circuits of some light as are missing between each two pods. */
    private SwitchedLight some(SwitchedLight of, Map<OcsWiring.Ends, Integer> missing) {
        SwitchedLight.Builder some = new SwitchedLight.Builder();
        of.forEach((name, circuit) -> scene.wiring()
                .ends(name, circuit)
                .map(ends -> key(name, ends))
                .filter(ends -> missing.getOrDefault(ends, 0) > 0)
                .ifPresent(ends -> {
                    missing.merge(ends, -1, Integer::sum);
                    some.add(name, circuit);
                }));
        return some.build();
    }

    private OcsWiring.Ends key(String name, OcsWiring.Ends ends) {
        return scene.wiring().kind(name) == DeviceKind.ANY_TO_ANY ? ends.undirected() : ends;
    }

    /** Records are written one by one: a port is given up in one before it is taken in another. Empty where that goes round. */
    private Optional<Map<SliceId, SwitchedLight>> inOrder(
            Map<SliceId, SwitchedLight> before, Map<SliceId, SwitchedLight> after) {
        Map<SliceId, Set<PortUse>> held = new LinkedHashMap<>();
        before.forEach((id, lit) -> held.put(id, ports(lit)));
        Map<SliceId, SwitchedLight> ordered = new LinkedHashMap<>();
        while (!held.isEmpty()) {
            SliceId next = held.keySet().stream()
                    .filter(id -> {
                        Set<PortUse> wanted = ports(after.getOrDefault(id, SwitchedLight.none()));
                        return held.entrySet().stream()
                                .allMatch(other -> other.getKey().equals(id)
                                        || other.getValue().stream().noneMatch(wanted::contains));
                    })
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                return Optional.empty();
            }
            held.remove(next);
            ordered.put(next, after.getOrDefault(next, SwitchedLight.none()));
        }
        return Optional.of(ordered);
    }

    private static SwitchedLight recorded(Tenant tenant) {
        return tenant.claim().recorded().orElseThrow().circuits();
    }

    private Set<PortUse> ports(SwitchedLight of) {
        Set<PortUse> ports = new HashSet<>();
        of.forEach(
                (name, circuit) -> ports.addAll(PortUse.of(name, scene.wiring().kind(name), circuit)));
        return ports;
    }
}
