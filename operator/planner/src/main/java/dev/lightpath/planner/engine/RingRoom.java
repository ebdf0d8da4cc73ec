package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.SliceVerdict.Placement;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingOrchestration;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Room on the rings of a world after their passes, pod by pod. */
final class RingRoom implements GroupRoom {
    /**
     * What is left of one ring.
     *
     * @param positions where each node sits
     * @param closedTo positions that a slice may not use
     */
    record Left(
            RingFabric ring,
            RingHealth health,
            Map<String, Integer> positions,
            Function<SliceIntent, Set<Integer>> closedTo) {}

    private final World world;
    private final Map<String, Left> rings;
    private final Function<SliceIntent, Optional<Placement>> placements;

    /** @param placements what the rings' passes said of their slices */
    RingRoom(World world, Map<String, Left> rings, Function<SliceIntent, Optional<Placement>> placements) {
        this.world = world;
        this.rings = rings;
        this.placements = placements;
    }

    @Override
    public boolean chooses(Claim claim) {
        return Sibling.ringOf(world, claim.intent()).isPresent();
    }

    @Override
    public boolean fits(Claim claim, OcsPod pod, int gpus) {
        SliceIntent slice = Sibling.ringOf(world, claim.intent()).orElse(null);
        Left left = slice == null ? null : rings.get(slice.fabric());
        if (slice == null || left == null || !(slice.demand() instanceof Demand.ScaleUp scaleUp)) {
            return false;
        }
        int tensor = scaleUp.gpusPerGroup();
        Set<Integer> closed = Sibling.outside(
                left.ring(),
                Sibling.positions(pod, left.positions()),
                left.closedTo().apply(slice));
        return RingOrchestration.usableGroups(left.ring(), left.health(), tensor, closed) >= gpus / tensor;
    }

    @Override
    public boolean lost(Claim claim) {
        return Sibling.ringOf(world, claim.intent())
                .flatMap(placements)
                .filter(placement -> placement instanceof Placement.Faulted faulted && faulted.degraded())
                .isPresent();
    }

    @Override
    public boolean stuck(Claim claim) {
        return Sibling.ringOf(world, claim.intent())
                .flatMap(placements)
                .filter(placement -> placement instanceof Placement.Unplaced unplaced
                        && unplaced.reason().equals("InsufficientCapacity"))
                .isPresent();
    }
}
