package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntBinaryOperator;
import java.util.function.Predicate;

/**
 * GPUs and ports of the pods of one fabric while a pass decides: how many there are, who has them. Ports are circuit
 * ends; what failed is made up for by spares as far as they go.
 */
public final class FabricPodPorts {
    /**
     * A job in some pods.
     *
     * @param ports circuit ends it has, by pod
     * @param expected whether it has no record yet and finds ports enough: no job grows into its share, and none
     *     shrinks for it
     */
    record Tenant(
            SliceState slice,
            StagePods stagePods,
            Map<String, Integer> gpus,
            Map<String, Integer> ports,
            boolean expected) {}

    private final OcsState state;
    /** By pod, circuit ends that all jobs together can use now. */
    private final Map<String, Integer> usable = new HashMap<>();
    /** By pod, those that they could use if nothing had failed. */
    private final Map<String, Integer> wired = new HashMap<>();

    private final Map<SliceId, Tenant> tenants = new LinkedHashMap<>();
    /** The same by pod. */
    private Lazy<Map<String, List<Tenant>>> byPod = new Lazy<>(this::findByPod);

    private final Set<PortUse> granted = new HashSet<>();
    private final Map<String, Set<PortUse>> grantedIn = new HashMap<>();
    private final Set<SliceId> aside = new HashSet<>();
    private final Map<SliceId, Boolean> sound = new HashMap<>();
    private final Set<SliceId> waiting = new HashSet<>();

    public FabricPodPorts(OcsState state, OcsCircuits circuits, Iterable<SliceState> slices) {
        this.state = state;
        Set<PortUse> barred = circuits.ports().inTheWay();
        // what is lit on switches that do not answer counts as long as it is seen
        Set<PortUse> burning = state.wiring().uses(state.health().burning());
        state.wiring().pods().values().forEach(pod -> count(pod, burning, barred));
        for (SliceState slice : slices) {
            if (slice.intent().demand() instanceof Demand.Traffic traffic && slice.placed()) {
                StagePods.recorded(traffic, slice.groups(), state.wiring())
                        .ifPresent(stagePods ->
                                house(slice, stagePods, slice.recorded().orElseThrow()));
            }
        }
    }

    /** O(wires of the pod). */
    private void count(OcsPod pod, Set<PortUse> burning, Set<PortUse> barred) {
        OcsHealth health = state.health();
        int regular = 0;
        int entering = 0;
        int leaving = 0;
        for (OcsSwitch of : state.intent().switches().values()) {
            boolean lost = health.switches().contains(of.name());
            Predicate<PortUse> closed =
                    port -> of.drained() || lost && !burning.contains(port) || barred.contains(port);
            for (OcsSwitch.Wire wire : state.wiring().wires(of.name(), pod.name())) {
                boolean spare =
                        of.reserved().contains(wire.ingress()) || of.reserved().contains(wire.egress());
                regular += spare ? 0 : 1;
                entering += health.enters(of, wire, closed) ? 1 : 0;
                leaving += health.leaves(of, wire, closed) ? 1 : 0;
            }
        }
        int ports = pod.ports() > 0 ? Math.min(regular, pod.ports()) : regular;
        wired.put(pod.name(), ports);
        usable.put(pod.name(), Math.min(ports, Math.min(entering, leaving)));
    }

    /**
     * A job that gives way has the ports that it will have: they are lent to no other. A job that lost a circuit gave
     * none up and waits in line.
     */
    private void house(SliceState slice, StagePods stagePods, Allocation recorded) {
        Map<String, int[]> sides = sides(recorded.circuits());
        Map<String, Integer> ports = ends(sides, Math::max);
        Map<String, Integer> both = ends(sides, Math::min);
        recorded.prediction()
                .filter(of -> isSound(slice))
                .ifPresent(of -> stagePods.ends(of.circuits()).forEach((pod, count) -> {
                    if (both.getOrDefault(pod, 0) < count) {
                        aside.add(slice.id());
                        ports.merge(pod, count, Math::max);
                    }
                }));
        house(new Tenant(slice, stagePods, stagePods.gpusByPod(), ports, false));
    }

    /** Whether all light of a record works and joins pods as it is wired now: found out once a pass. */
    boolean isSound(SliceState slice) {
        return sound.computeIfAbsent(slice.id(), id -> state.sound(slice.circuits()));
    }

    /** Whose record has fewer circuits than were chosen for it: they follow when others have made room. */
    public Set<SliceId> aside() {
        return aside;
    }

    /** Circuit ends of some light by pod; of two-sided switches the more of those that leave and those that arrive. */
    Map<String, Integer> ends(SwitchedLight light) {
        return ends(sides(light), Math::max);
    }

    /** By pod, how many circuits leave and how many arrive. */
    private Map<String, int[]> sides(SwitchedLight light) {
        Map<String, int[]> sides = new HashMap<>();
        light.forEach((name, circuit) -> state.wiring().ways(name, circuit).forEach(way -> {
            sides.computeIfAbsent(way.ends().from(), pod -> new int[2])[0]++;
            sides.computeIfAbsent(way.ends().to(), pod -> new int[2])[1]++;
        }));
        return sides;
    }

    private static Map<String, Integer> ends(Map<String, int[]> sides, IntBinaryOperator of) {
        Map<String, Integer> ends = new HashMap<>();
        sides.forEach((pod, side) -> ends.put(pod, of.applyAsInt(side[0], side[1])));
        return ends;
    }

    /** Circuit ends that all jobs together can use in a pod now. */
    int usable(String pod) {
        return usable.getOrDefault(pod, 0);
    }

    /** Circuit ends that they could use if nothing had failed. */
    int wired(String pod) {
        return wired.getOrDefault(pod, 0);
    }

    Map<SliceId, Tenant> tenants() {
        return tenants;
    }

    /** Those that have GPUs in a pod. */
    List<Tenant> in(String pod) {
        return byPod.get().getOrDefault(pod, List.of());
    }

    private Map<String, List<Tenant>> findByPod() {
        Map<String, List<Tenant>> found = new HashMap<>();
        tenants.values()
                .forEach(tenant -> tenant.gpus()
                        .keySet()
                        .forEach(pod -> found.computeIfAbsent(pod, of -> new ArrayList<>())
                                .add(tenant)));
        return found;
    }

    private void house(Tenant tenant) {
        tenants.put(tenant.slice().id(), tenant);
        byPod = new Lazy<>(this::findByPod);
    }

    /** The circuits that the record of a job names, none where it has no place. */
    SwitchedLight recorded(SliceId id) {
        Tenant tenant = tenants.get(id);
        return tenant == null ? SwitchedLight.none() : tenant.slice().circuits();
    }

    /** Whether another job has GPUs in one of these pods. */
    boolean shared(Tenant tenant) {
        return tenant.gpus().keySet().stream()
                .flatMap(pod -> in(pod).stream())
                .anyMatch(other -> !other.slice().id().equals(tenant.slice().id()));
    }

    int freeGpus(OcsPod pod, SliceId besides) {
        return pod.gpus() - gpusTaken(pod.name(), besides);
    }

    int gpusTaken(String pod, SliceId besides) {
        return in(pod).stream()
                .filter(tenant -> !tenant.slice().id().equals(besides))
                .mapToInt(tenant -> tenant.gpus().getOrDefault(pod, 0))
                .sum();
    }

    /** Ports in proportion to the GPUs that a job has in a pod: which no other job may deny it. */
    int share(String pod, int gpus) {
        OcsPod of = state.wiring().pods().get(pod);
        return of == null || of.gpus() == 0 ? 0 : (int) ((long) usable(pod) * gpus / of.gpus());
    }

    /** Ports that this pass has given away and no record shows. */
    Set<PortUse> granted() {
        return granted;
    }

    /**
     * A job is given a place in this pass, with this light or, while its circuits are being chosen, with these ports.
     * What it is short of then is asked of others once its record shows it: until then it is unknown whether it could
     * use more.
     */
    void seat(SliceState slice, StagePods stagePods, SwitchedLight light, Map<String, Integer> ports) {
        house(new Tenant(slice, stagePods, stagePods.gpusByPod(), ports, true));
        grant(light);
    }

    /** From now on in this pass these circuits have their ports, though no record shows it. */
    void grant(SwitchedLight light) {
        for (PortUse port : state.wiring().uses(light)) {
            granted.add(port);
            state.wiring()
                    .podsAt(port)
                    .forEach(pod -> grantedIn
                            .computeIfAbsent(pod, of -> new HashSet<>())
                            .add(port));
        }
    }

    /** Those of them in a pod, as they are now. */
    Set<PortUse> granted(String pod) {
        return Set.copyOf(grantedIn.getOrDefault(pod, Set.of()));
    }

    /** A job that has its place gets other light in this pass. */
    void hold(SliceState slice, Map<String, Integer> ports) {
        Tenant tenant = tenants.get(slice.id());
        if (tenant != null) {
            house(new Tenant(slice, tenant.stagePods(), tenant.gpus(), ports, tenant.expected()));
        }
    }

    /** A job waits for a place, and it is unknown where that will be. */
    void waits(SliceState slice) {
        waiting.add(slice.id());
    }

    /** Whether another job does. */
    boolean awaited(SliceState slice) {
        return waiting.stream().anyMatch(id -> !id.equals(slice.id()));
    }

    /** A job that waits for a place will have it here. */
    void expect(SliceState slice, StagePods stagePods, boolean reclaiming) {
        house(new Tenant(slice, stagePods, stagePods.gpusByPod(), Map.of(), !reclaiming));
    }
}
