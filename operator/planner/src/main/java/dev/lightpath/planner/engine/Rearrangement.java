package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.PodRoom.Tenant;
import dev.lightpath.planner.light.Circuit;
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

/**
 * Room for a job whose pods have ports enough, but on different switches: its circuits and those of movable jobs in the same pods
 * striped together, with as little light moved as can be. Every job keeps its circuits, only on other ports.
 *
 * @param circuits counts of the job for which room is made
 * @param own its light
 * @param others the new light of those that move, in an order in which their records can be written one by one
 */
record Rearrangement(List<Integer> circuits, SwitchedLight own, Map<SliceId, SwitchedLight> others) {

    /** What one pass may try for all that wait: each try is a striping of all that may move, and repairs wait for it. */
    static final class Tries {
        private int left = 64;

        private boolean another() {
            return left-- > 0;
        }
    }

    /**
     * The wanted counts or, where they do not fit, the fewest that join all pods that talk. Cost of a striping over the links of
     * these jobs.
     *
     * @param settled jobs whose record changes in this pass already
     * @param tries of this pass; none is found once they are used up
     */
    static Optional<Rearrangement> of(
            OcsScene scene,
            OcsLight light,
            PodRoom room,
            Set<SliceId> settled,
            Claim claim,
            StageSeats seating,
            List<Integer> wanted,
            Tries tries) {
        List<Tenant> movable = room.tenants().values().stream()
                .filter(tenant -> !settled.contains(tenant.claim().id()) && moves(scene, claim, seating, tenant))
                .toList();
        if (movable.isEmpty()) {
            return Optional.empty();
        }
        for (List<Integer> counts : List.of(wanted, CircuitDeal.fewest(seating.deal(), wanted))) {
            Optional<Rearrangement> found = together(scene, light, room, movable, claim, seating, counts, tries);
            // jobs that change places with each other cannot be recorded one by one: without one of them it may go
            for (int without = 0; found.isEmpty() && without < movable.size() && movable.size() > 1; without++) {
                List<Tenant> fewer = new ArrayList<>(movable);
                fewer.remove(without);
                found = together(scene, light, room, fewer, claim, seating, counts, tries);
            }
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static boolean moves(OcsScene scene, Claim claim, StageSeats seating, Tenant tenant) {
        Allocation recorded = tenant.claim().recorded().orElse(null);
        if (recorded == null
                || tenant.claim().inherits()
                || tenant.claim().id().equals(claim.id())
                || !tenant.claim().placed()
                || recorded.prediction().isEmpty()
                || !recorded.darkening().isEmpty()
                || !PortBudgets.movable(tenant.claim().intent())
                || tenant.gpus().keySet().stream()
                        .noneMatch(pod -> seating.gpusByPod().containsKey(pod))) {
            return false;
        }
        boolean[] sound = {true};
        recorded.circuits()
                .forEach((name, circuit) -> sound[0] &= scene.health().supports(name, circuit)
                        && scene.wiring().ends(name, circuit).isPresent());
        return sound[0];
    }

    private static Optional<Rearrangement> together(
            OcsScene scene,
            OcsLight light,
            PodRoom room,
            List<Tenant> movable,
            Claim claim,
            StageSeats seating,
            List<Integer> wanted,
            Tries tries) {
        if (!tries.another()) {
            return Optional.empty();
        }
        Set<PortUse> taken = new HashSet<>(light.takenFrom(claim));
        SwitchedLight before = SwitchedLight.none();
        List<Link> links = new ArrayList<>();
        for (Tenant tenant : movable) {
            SwitchedLight lit = recorded(tenant);
            taken.removeAll(ports(scene, lit));
            before = before.and(lit);
            lit.forEach((name, circuit) -> scene.wiring()
                    .ends(name, circuit)
                    .ifPresent(ends -> links.add(new Link(ends.from(), ends.to(), name))));
        }
        taken.addAll(room.granted());
        links.addAll(CircuitDeal.links(scene, seating, seating.deal().deal(wanted)));
        LinkPlan.Outcome plan = LinkPlan.follow(
                scene.wiring(), CircuitDeal.withoutDrained(scene), taken, List.copyOf(links), true, before);
        if (!plan.missing().isEmpty()) {
            return Optional.empty();
        }
        Map<SliceId, SwitchedLight> after = new LinkedHashMap<>();
        SwitchedLight left = shareOut(scene, movable, plan.light(), after);
        return inOrder(scene, movable, after).map(others -> new Rearrangement(wanted, left, others));
    }

    /** Everybody keeps what is his and is still there; for the rest circuits of the same pods are as good. Returns what is left. */
    private static SwitchedLight shareOut(
            OcsScene scene, List<Tenant> movable, SwitchedLight light, Map<SliceId, SwitchedLight> after) {
        SwitchedLight left = light;
        for (Tenant tenant : movable) {
            SwitchedLight gone = recorded(tenant).minus(light);
            SwitchedLight kept = recorded(tenant).minus(gone);
            after.put(tenant.claim().id(), kept);
            left = left.minus(kept);
        }
        for (Tenant tenant : movable) {
            Map<OcsWiring.Ends, Integer> missing = new HashMap<>();
            recorded(tenant)
                    .minus(light)
                    .forEach((name, circuit) ->
                            key(scene, name, circuit).ifPresent(ends -> missing.merge(ends, 1, Integer::sum)));
            SwitchedLight.Builder more = new SwitchedLight.Builder();
            left.forEach((name, circuit) -> key(scene, name, circuit)
                    .filter(ends -> missing.getOrDefault(ends, 0) > 0)
                    .ifPresent(ends -> {
                        missing.merge(ends, -1, Integer::sum);
                        more.add(name, circuit);
                    }));
            SwitchedLight found = more.build();
            left = left.minus(found);
            after.merge(tenant.claim().id(), found, SwitchedLight::and);
        }
        return left;
    }

    private static Optional<OcsWiring.Ends> key(OcsScene scene, String name, Circuit circuit) {
        boolean duplex = scene.wiring().kind(name) == DeviceKind.ANY_TO_ANY;
        return scene.wiring()
                .ends(name, circuit)
                .map(ends -> duplex && ends.from().compareTo(ends.to()) > 0
                        ? new OcsWiring.Ends(ends.to(), ends.from())
                        : ends);
    }

    /** Records are written one by one: a port is given up in one before it is taken in another. Empty where that goes round. */
    private static Optional<Map<SliceId, SwitchedLight>> inOrder(
            OcsScene scene, List<Tenant> movable, Map<SliceId, SwitchedLight> after) {
        Map<SliceId, Set<PortUse>> held = new LinkedHashMap<>();
        for (Tenant tenant : movable) {
            SliceId id = tenant.claim().id();
            if (!recorded(tenant).equals(after.get(id))) {
                held.put(id, ports(scene, recorded(tenant)));
            }
        }
        Map<SliceId, SwitchedLight> ordered = new LinkedHashMap<>();
        while (!held.isEmpty()) {
            SliceId next = held.keySet().stream()
                    .filter(id -> {
                        Set<PortUse> wanted = ports(scene, after.getOrDefault(id, SwitchedLight.none()));
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

    private static Set<PortUse> ports(OcsScene scene, SwitchedLight light) {
        Set<PortUse> ports = new HashSet<>();
        light.forEach(
                (name, circuit) -> ports.addAll(PortUse.of(name, scene.wiring().kind(name), circuit)));
        return ports;
    }
}
