package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What the rings of a world have left after their passes, for jobs whose pods another fabric chooses: whether a pod has
 * room for the tensor-parallel groups of a job, and how the groups of a placed job fare.
 */
public final class RingCapacity {
    /**
     * What is left of one ring.
     *
     * @param positions where each node sits
     * @param closedTo positions that a slice may not use
     */
    public record Left(
            RingFabric ring,
            RingHealth health,
            Map<String, Integer> positions,
            Function<SliceIntent, Set<Integer>> closedTo) {

        /**
         * GPUs in groups of the size that a slice asks for, its own positions included; 0 when that size fits no node
         * count.
         */
        public int usableGpus(SliceIntent intent) {
            return intent.demand() instanceof Demand.ScaleUp groups
                            && new RingDemand(groups.gpusPerGroup(), groups.groups()).fits(ring)
                    ? groups.gpusPerGroup()
                            * RingOrchestration.usableGroups(
                                    ring, health, groups.gpusPerGroup(), closedTo.apply(intent))
                    : 0;
        }
    }

    private final World world;
    private final Map<String, Left> rings;
    private final Function<SliceIntent, Optional<Placement>> placements;

    /** @param placements what the rings' passes said of their slices */
    public RingCapacity(World world, Map<String, Left> rings, Function<SliceIntent, Optional<Placement>> placements) {
        this.world = world;
        this.rings = rings;
        this.placements = placements;
    }

    /** Whether the nodes of a job are chosen on a ring. */
    public boolean chooses(SliceState slice) {
        return ScaleOutPlacement.ringOf(world, slice.intent()).isPresent();
    }

    /** Whether the nodes of a pod hold groups for so many GPUs. */
    public boolean fits(SliceState slice, OcsPod pod, int gpus) {
        SliceIntent intent = ScaleOutPlacement.ringOf(world, slice.intent()).orElse(null);
        Left left = intent == null ? null : rings.get(intent.fabric());
        if (intent == null || left == null || !(intent.demand() instanceof Demand.ScaleUp scaleUp)) {
            return false;
        }
        int tensor = scaleUp.gpusPerGroup();
        Set<Integer> closed = ScaleOutPlacement.outside(
                left.ring(),
                ScaleOutPlacement.positions(pod, left.positions()),
                left.closedTo().apply(intent));
        return RingOrchestration.usableGroups(left.ring(), left.health(), tensor, closed) >= gpus / tensor;
    }

    /** Whether groups of a job have failed, may be moved, and no repair fits in their pods. */
    public boolean lost(SliceState slice) {
        return ScaleOutPlacement.ringOf(world, slice.intent())
                .flatMap(placements)
                .filter(placement -> placement instanceof Placement.Faulted faulted && faulted.degraded())
                .isPresent();
    }

    /** Whether the ring finds no room in the pods that a job was given. */
    public boolean stuck(SliceState slice) {
        return ScaleOutPlacement.ringOf(world, slice.intent())
                .flatMap(placements)
                .filter(placement -> placement instanceof Placement.Unplaced unplaced
                        && unplaced.reason() == Reason.INSUFFICIENT_CAPACITY)
                .isPresent();
    }
}
