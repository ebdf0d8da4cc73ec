package dev.lightpath.planner.engine.switches;

import dev.lightpath.planner.engine.allocation.CubeMembers;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.CubeTorus;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.TorusChoice;
import dev.lightpath.planner.torus.Twist;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which cube plays which part of which torus. A job gets free cubes, and where they do not suffice cubes of the static
 * torus, which lends them: it keeps the circuits between its other cubes, and lights the rest again when the job is
 * gone.
 */
final class CubePlacement {
    private final OcsState state;
    private final OcsCircuits circuits;
    private final Map<String, SliceId> ofJobs = new HashMap<>();
    private final Map<String, SliceId> standing = new HashMap<>();
    /** Whose record is written again in this pass, as it was: none of its ports can be lent meanwhile. */
    private final Set<SliceId> lost = new HashSet<>();

    /** Cubes of the static torus, where its light is there and no record of it. */
    private final Set<String> burning = new HashSet<>();

    /** Of cubes in records, also of those that are described no more. */
    private final Map<String, Integer> indices = new HashMap<>();

    private final Optional<CubeTorus> found;

    CubePlacement(OcsState state, OcsCircuits circuits, List<SliceState> slices) {
        this.state = state;
        this.circuits = circuits;
        for (SliceState slice : slices) {
            if (slice.lost()) {
                lost.add(slice.id());
            }
            Map<String, SliceId> seats = seats(slice);
            slice.recorded()
                    .map(allocation -> CubeMembers.indices(state.wiring(), allocation))
                    .ifPresent(cubes -> cubes.forEach((cube, index) -> {
                        seats.put(cube, slice.id());
                        indices.putIfAbsent(cube, index);
                    }));
        }
        found = state.intent().topology() instanceof OcsTopology.TwistedTorus torus
                ? CubeTorus.made(
                        state.wiring(),
                        torus.cubes(),
                        circuits.explained(),
                        new TreeSet<>(ofJobs.keySet()),
                        state.memory().memo(CubeTorus.LENT_TORI))
                : Optional.empty();
        found.ifPresent(torus -> burning.addAll(torus.placement()));
    }

    private Map<String, SliceId> seats(SliceState slice) {
        return slice.isStatic() ? standing : ofJobs;
    }

    private Twist twist(Shape cubes) {
        return state.memory().memo(CubeTorus.TWISTS).of(cubes, () -> TorusChoice.bestTwist(cubes));
    }

    static Shape cubes(Demand.TorusShape torus) {
        return CubeArrangement.cubesOf(torus.chips());
    }

    /** A torus for a slice: the recorded one with failed cubes replaced, or a new one. */
    AllocationOffer serve(SliceState slice, Shape cubes) {
        Predicate<PortUse> taken = takenFrom(slice);
        Optional<CubeTorus> kept = kept(slice, cubes);
        if (kept.isEmpty()) {
            List<String> fit = free(taken, slice);
            int nodes = CubeMembers.hosted(slice) ? nodesOf(fit, cubes.volume()) : 0;
            fit.removeIf(cube -> nodesOf(cube) < nodes);
            if (fit.size() < cubes.volume() || (CubeMembers.hosted(slice) && nodes == 0)) {
                return AllocationOffer.none(shortage(slice, cubes, fit));
            }
            CubeTorus torus = new CubeTorus(cubes, twist(cubes), fit.subList(0, cubes.volume()));
            return offer(slice, torus, nodes, taken, SwitchedLight.none());
        }
        int nodes = CubeMembers.nodesPerCube(slice);
        SwitchedLight before = slice.placed() ? slice.recorded().orElseThrow().circuits() : circuits.explained();
        return offer(slice, replaced(slice, kept.get(), nodes, taken), nodes, taken, before);
    }

    /** Every part runs on equally many nodes: as many as can be had, given that the last cube has the fewest. */
    private int nodesOf(List<String> fit, int parts) {
        return fit.stream()
                .map(this::nodesOf)
                .sorted(Comparator.reverseOrder())
                .skip(parts - 1L)
                .findFirst()
                .orElse(0);
    }

    private int nodesOf(String cube) {
        OcsPod pod = state.wiring().pods().get(cube);
        return pod == null ? 0 : pod.nodes().size();
    }

    private String shortage(SliceState slice, Shape cubes, List<String> fit) {
        long hosts = fit.stream().filter(cube -> nodesOf(cube) > 0).count();
        if (state.intent().pods().size() < cubes.volume()) {
            return "wanted " + cubes.volume() + " cubes for " + cubes + ", the fabric has "
                    + state.intent().pods().size() + ": " + SliceVerdict.Placement.Unplaced.NEVER_FITS;
        }
        boolean bare = CubeMembers.hosted(slice) && fit.size() >= cubes.volume();
        return "wanted " + cubes.volume() + " cubes for " + cubes + ", usable " + (bare ? hosts : fit.size()) + ": of "
                + state.intent().pods().size() + " cubes "
                + Counted.of(state.health().pods().size(), "is", "are") + " faulty, "
                + ofJobs.size() + " held by jobs"
                + (bare ? ", " + (fit.size() - hosts) + " have no Node for the job's pods" : "");
    }

    private Optional<CubeTorus> kept(SliceState slice, Shape cubes) {
        if (!slice.placed()) {
            return slice.isStatic() ? found : Optional.empty();
        }
        Allocation recorded = slice.recorded().orElseThrow();
        List<String> members = CubeMembers.cubes(state.wiring(), recorded);
        if (members.size() != cubes.volume()) {
            return Optional.empty();
        }
        return CubeTorus.recorded(state.wiring(), cubes, members, recorded.circuits())
                .or(() -> Optional.of(new CubeTorus(cubes, twist(cubes), members)));
    }

    /** A job takes the ports of cubes that the static torus lends; that one gives way. */
    private Predicate<PortUse> takenFrom(SliceState slice) {
        if (slice.isStatic()) {
            return circuits.ports().inTheWay()::contains;
        }
        Set<PortUse> lent = state.wiring().uses(circuits.explained());
        standing.values().stream()
                .distinct()
                .filter(id -> !lost.contains(id))
                .flatMap(id -> state.world().allocation(id).stream())
                .forEach(allocation -> lent.addAll(state.wiring().uses(allocation.circuits())));
        return circuits.ports().barredTo(slice).and(Predicate.not(lent::contains));
    }

    /** Cubes that can be given, the free ones first. */
    private List<String> free(Predicate<PortUse> taken, SliceState slice) {
        boolean job = !slice.isStatic();
        List<String> free = new ArrayList<>();
        List<String> lent = new ArrayList<>();
        for (String cube : CubeTorus.fit(
                state.wiring(), state.health(), taken, state.wiring().pods().keySet())) {
            OcsPod pod = state.wiring().pods().get(cube);
            if (job && (pod == null || !pod.placeable())) {
                continue;
            }
            SliceId ofJob = ofJobs.get(cube);
            if (ofJob != null && !ofJob.equals(slice.id())) {
                if (!job) {
                    lent.add(cube);
                }
            } else if (job && (standing.containsKey(cube) || burning.contains(cube))) {
                lent.add(cube);
            } else {
                free.add(cube);
            }
        }
        free.addAll(lent);
        return free;
    }

    private CubeTorus replaced(SliceState slice, CubeTorus torus, int nodes, Predicate<PortUse> taken) {
        boolean job = !slice.isStatic();
        Set<String> sound = new HashSet<>(CubeTorus.fit(state.wiring(), state.health(), taken, torus.placement()));
        sound.removeIf(cube -> nodesOf(cube) < nodes);
        List<String> spares = new ArrayList<>(free(taken, slice));
        spares.removeAll(torus.placement());
        spares.removeIf(cube -> nodesOf(cube) < nodes);
        spares.removeIf(cube -> !job && ofJobs.containsKey(cube));
        CubeTorus next = torus;
        for (int part = 0; part < torus.placement().size(); part++) {
            String cube = torus.placement().get(part);
            boolean lent = !job && ofJobs.containsKey(cube);
            if (!sound.contains(cube) && !lent && !spares.isEmpty()) {
                next = next.with(part, spares.removeFirst());
            }
        }
        return next;
    }

    private AllocationOffer offer(
            SliceState slice, CubeTorus torus, int nodes, Predicate<PortUse> taken, SwitchedLight before) {
        boolean job = !slice.isStatic();
        Map<String, SliceId> seats = seats(slice);
        seats.values().removeIf(slice.id()::equals);
        torus.placement().forEach(cube -> seats.put(cube, slice.id()));
        List<Link> links = new ArrayList<>(torus.links(state.wiring()));
        if (!job) {
            links.removeIf(link -> ofJobs.containsKey(link.from()) || ofJobs.containsKey(link.to()));
        }
        LinkPlan.Outcome plan =
                LinkPlan.plan(state.wiring(), state.health(), taken, links, true, before, state.stripings());
        List<String> unsound = torus.placement().stream()
                .filter(cube -> state.health().pods().contains(cube) || nodesOf(cube) < nodes)
                .filter(cube -> job || !ofJobs.containsKey(cube))
                .toList();
        String why = unsound.isEmpty()
                ? "no free ports for " + Words.counted(plan.missing(), "links")
                : "no spare cube for " + String.join(", ", unsound);
        return new AllocationOffer(
                Optional.of(CubeMembers.groups(state.wiring(), torus, nodes, slice.recorded(), indices)),
                plan.light(),
                plan.missing().size() + unsound.size(),
                why);
    }
}
