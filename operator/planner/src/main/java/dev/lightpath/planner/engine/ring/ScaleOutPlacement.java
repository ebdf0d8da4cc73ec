package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.state.WiringIndex;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The other half of a job on two fabrics, as its ring sees it: which pods hold which stages. Tensor-parallel groups go
 * in the order of the stages, replica by replica; those of one stage stay in its pod.
 *
 * @param stagePods empty while the pods are not chosen
 */
public record ScaleOutPlacement(SliceIntent intent, OcsIntent fabric, Optional<StagePods> stagePods) {

    /** One attempt of a job, which has a slice on each of its fabrics. */
    record Attempt(JobId job, int number) {
        static Attempt of(SliceIntent slice) {
            return new Attempt(slice.job(), slice.attempt());
        }
    }

    /** Those that ask for circuits that follow their traffic, for many to be looked up. O(slices). */
    static Set<Attempt> attempts(World world) {
        return world.slices().values().stream()
                .filter(slice -> slice.demand() instanceof Demand.Traffic
                        && world.ocsFabrics().containsKey(slice.fabric()))
                .map(Attempt::of)
                .collect(Collectors.toSet());
    }

    /** Empty when the job asks for no circuits that follow its traffic. O(slices). */
    static Optional<ScaleOutPlacement> of(World world, SliceIntent ring) {
        Attempt attempt = Attempt.of(ring);
        for (SliceIntent other : world.slices().values()) {
            OcsIntent fabric = world.ocsFabrics().get(other.fabric());
            if (fabric != null
                    && Attempt.of(other).equals(attempt)
                    && other.demand() instanceof Demand.Traffic traffic) {
                Optional<StagePods> stagePods = world.allocation(other.id())
                        .map(Allocation::groups)
                        .flatMap(groups -> StagePods.recorded(traffic, groups, WiringIndex.wiring(world, fabric)));
                return Optional.of(new ScaleOutPlacement(other, fabric, stagePods));
            }
        }
        return Optional.empty();
    }

    /** The slice of the same attempt on a ring; empty when there is none. */
    static Optional<SliceIntent> ringOf(World world, SliceIntent traffic) {
        return world.slices().values().stream()
                .filter(other -> other.demand() instanceof Demand.ScaleUp
                        && other.job().equals(traffic.job())
                        && other.attempt() == traffic.attempt())
                .findFirst();
    }

    /**
     * The other fabric of a job whose slice there is not seen yet, since slices of one placement are written one after
     * the other; or that is not described so that it can be served.
     */
    public static Optional<String> awaited(World world, SliceIntent slice) {
        return slice.beside()
                .filter(fabric -> !world.ocsFabrics().containsKey(fabric)
                                && !world.rings().containsKey(fabric)
                        || world.slices().values().stream()
                                .noneMatch(other -> other.fabric().equals(fabric)
                                        && other.job().equals(slice.job())
                                        && other.attempt() == slice.attempt()));
    }

    static Set<Integer> positions(OcsPod pod, Map<String, Integer> positions) {
        Set<Integer> of = new HashSet<>();
        pod.nodes().keySet().forEach(node -> {
            Integer position = positions.get(node);
            if (position != null) {
                of.add(position);
            }
        });
        return of;
    }

    /** Everything but the nodes of a pod, and what is occupied anyway. */
    static Set<Integer> outside(RingFabric ring, Set<Integer> pod, Set<Integer> occupied) {
        Set<Integer> outside = new HashSet<>(occupied);
        for (int position = 0; position < ring.positions(); position++) {
            if (!pod.contains(position)) {
                outside.add(position);
            }
        }
        return outside;
    }

    /** The groups of each pod within the pod, in the order of the ranks; empty while the pods are not chosen. */
    Optional<InitialPlacement> place(
            RingFabric ring,
            RingHealth health,
            RingDemand demand,
            Set<Integer> occupied,
            Map<String, Integer> positions) {
        if (stagePods.isEmpty()) {
            return Optional.empty();
        }
        List<RingGroup> groups = new ArrayList<>();
        int usable = 0;
        for (List<String> replica : stagePods.get().pods()) {
            for (int place = 0; place < replica.size(); place++) {
                Set<Integer> pod = podNodes(replica.get(place), positions);
                int wanted = stagePods.get().gpus(place) / demand.tensor();
                InitialPlacement found = InitialPlacement.of(
                        ring, health, new RingDemand(demand.tensor(), wanted), outside(ring, pod, occupied));
                switch (found) {
                    case InitialPlacement.Found some -> {
                        groups.addAll(some.placement().groups());
                        usable += wanted;
                    }
                    case InitialPlacement.None none -> {
                        return Optional.of(new InitialPlacement.None(usable + none.usableGroups()));
                    }
                }
            }
        }
        return Optional.of(new InitialPlacement.Found(
                new RingPlacement(groups),
                Origin.Planner.LINE,
                "placed in the pods of fabric " + fabric.name() + ", stage by stage"));
    }

    Set<Integer> podNodes(String name, Map<String, Integer> positions) {
        return fabric.pods().stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .map(pod -> positions(pod, positions))
                .orElse(Set.of());
    }

    /** The pod of each group, in the order of the ranks; none while the pods are not chosen. */
    List<String> pods(int tensor) {
        List<String> pods = new ArrayList<>();
        stagePods.ifPresent(seats -> seats.pods().forEach(replica -> {
            for (int place = 0; place < replica.size(); place++) {
                pods.addAll(Collections.nCopies(seats.gpus(place) / tensor, replica.get(place)));
            }
        }));
        return pods;
    }
}
