package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Origin;
import java.util.Optional;

/**
 * Keeps slices in their places as {@link PlacedTraffic} does. An elastic one takes other pods for those that it lost,
 * else moves as a whole where it can, else shrinks. It grows where there is room, nothing of it is broken and no pod
 * uses its light. Other pods are another question to DELTA: until that is answered the record stays as it is.
 */
final class ElasticTraffic {
    private final FabricPods pods;
    private final PlacedTraffic placed;
    private final RepairGate gate;
    private final FabricPodWidth width;
    private final NewCircuits circuits;

    ElasticTraffic(FabricPods pods, RepairGate gate) {
        this.pods = pods;
        this.placed = new PlacedTraffic(pods, gate);
        this.gate = gate;
        this.width = new FabricPodWidth(pods);
        this.circuits = new NewCircuits(pods);
    }

    /** What becomes of a slice that has a place. */
    SliceDecision keep(SliceState slice, Demand.Traffic traffic) {
        boolean elastic = traffic.replicas().elastic()
                && pods.mayHaveOthers()
                && slice.intent().beside().isEmpty();
        Optional<StagePods> has = elastic
                ? StagePods.recorded(traffic, slice.groups(), pods.state().wiring())
                : Optional.empty();
        if (has.isEmpty()) {
            return placed.keep(slice, traffic);
        }
        boolean broken = width.broken(slice);
        if (!broken && !slice.usesLight()) {
            Optional<SliceDecision> grown = grow(slice, traffic, has.get());
            if (grown.isPresent()) {
                return grown.get();
            }
        }
        SliceDecision kept = placed.keep(slice, traffic);
        if (kept instanceof SliceDecision.Change change) {
            return broken ? mended(slice, traffic, has.get(), change) : change;
        }
        if (kept.placement() instanceof Placement.Placed well) {
            if (slice.usesLight()) {
                return SliceDecision.stay(new Placement.Placed(well.unsolved(), wider(slice, traffic, has.get())));
            }
            return broken ? grow(slice, traffic, has.get()).orElse(kept) : kept;
        }
        return kept.placement() instanceof Placement.Faulted faulted && faulted.degraded()
                ? lessen(slice, traffic, has.get(), faulted)
                : kept;
    }

    /** Whether there is room under running pods: nobody is told to restart for pods that DELTA finds no circuits in. */
    private boolean wider(SliceState slice, Demand.Traffic traffic, StagePods has) {
        return width.more(slice, traffic, has)
                .filter(more -> circuits.foreseen(slice, more))
                .isPresent();
    }

    /** A repair comes before growth: who starts the pods waits for both. */
    private SliceDecision mended(SliceState slice, Demand.Traffic traffic, StagePods has, SliceDecision.Change change) {
        return change.placement() instanceof Placement.Placed well
                        && !slice.usesLight()
                        && width.more(slice, traffic, has).isPresent()
                ? change.with(new Placement.Placed(well.unsolved(), true))
                : change;
    }

    private Optional<SliceDecision> grow(SliceState slice, Demand.Traffic traffic, StagePods has) {
        return width.more(slice, traffic, has).flatMap(more -> grow(slice, traffic, has, more));
    }

    /** Empty where no circuits can be had for more replicas: the pods then start with those that there are. */
    private Optional<SliceDecision> grow(SliceState slice, Demand.Traffic traffic, StagePods has, StagePods more) {
        Placement told = new Placement.Placed(Optional.empty(), true);
        return width.grown(slice, has, more)
                .map(seating -> circuits.light(slice, seating.stagePods(), seating.members(), false))
                .<SliceDecision>flatMap(decision -> switch (decision) {
                    case SliceDecision.Change change ->
                        Optional.of(retold(change, change.origin().planner(), "grows: " + told(traffic, more), told));
                    case SliceDecision.Stay stay ->
                        isAsked(stay) ? Optional.of(SliceDecision.stay(told)) : Optional.empty();
                });
    }

    /**
     * Other pods come in for those that are lost; where there are none, it goes on with fewer replicas. One that could
     * move as a whole gives up no replica: it moves where other pods cannot come in for all that are lost.
     */
    private SliceDecision lessen(SliceState slice, Demand.Traffic traffic, StagePods has, Placement.Faulted faulted) {
        return gate.wait(slice.intent(), () -> pods.circuits().hurtSince(slice)).isPresent()
                ? SliceDecision.stay(faulted)
                : replace(
                                slice,
                                traffic,
                                has,
                                faulted,
                                faulted.relocatable() ? has.pods().size() : traffic.leastReplicas())
                        .orElseGet(() -> faulted.relocatable()
                                ? SliceDecision.stay(faulted)
                                : shrink(slice, traffic, has, faulted));
    }

    /** Empty where there are no other pods for so many replicas at least, or no circuits for them. */
    private Optional<SliceDecision> replace(
            SliceState slice, Demand.Traffic traffic, StagePods has, Placement.Faulted faulted, int fewest) {
        return width.replaced(slice, traffic, has, fewest).flatMap(seating -> {
            String told = told(traffic, seating.stagePods());
            return switch (circuits.light(slice, seating.stagePods(), seating.members(), true)) {
                case SliceDecision.Change change ->
                    Optional.of(retold(
                            change,
                            Origin.Planner.LOCAL_REPAIR,
                            "other pods in for " + String.join(", ", faulted.members()) + ": " + told,
                            Placement.Faulted.recording(faulted.members())));
                case SliceDecision.Stay stay -> isAsked(stay) ? Optional.of(chosen(faulted, told)) : Optional.empty();
            };
        });
    }

    private static SliceDecision chosen(Placement.Faulted faulted, String told) {
        return SliceDecision.stay(
                Placement.Faulted.waiting(faulted.members(), "circuits are being chosen for " + told));
    }

    /** Goes on with fewer replicas. What stays keeps its pods and nodes, and the circuits that serve on. */
    private SliceDecision shrink(SliceState slice, Demand.Traffic traffic, StagePods has, Placement.Faulted faulted) {
        Optional<FabricPodWidth.Seating> left = width.left(slice, traffic, has);
        if (left.isEmpty()) {
            boolean elsewhere =
                    pods.relocatable(slice) && pods.othersJoin(slice, traffic.of(traffic.leastReplicas()), has);
            return SliceDecision.stay(Placement.Faulted.stuck(faulted.members(), faulted.waitsFor(), elsewhere));
        }
        StagePods narrow = left.get().stagePods();
        String told = told(traffic, narrow);
        return switch (circuits.light(slice, narrow, left.get().members(), true)) {
            case SliceDecision.Change change ->
                retold(
                        change,
                        Origin.Planner.LOCAL_REPAIR,
                        "shrinks: " + told,
                        Placement.Faulted.recording(faulted.members()));
            case SliceDecision.Stay stay ->
                isAsked(stay)
                        ? chosen(faulted, told)
                        : SliceDecision.stay(Placement.Faulted.stuck(
                                faulted.members(), faulted.waitsFor() + why(told, stay), false));
        };
    }

    /** Why it does not go on with so many replicas that are whole, as a clause that follows others. */
    private static String why(String told, SliceDecision.Stay stay) {
        return stay.placement() instanceof Placement.Unplaced none
                ? "; without circuits for " + told + ": " + none.message()
                : "";
    }

    private static boolean isAsked(SliceDecision.Stay stay) {
        return stay.placement() instanceof Placement.Unplaced none && none.reason() == Reason.SOLVING;
    }

    private static String told(Demand.Traffic traffic, StagePods of) {
        return traffic.replicas().told(of.pods().size());
    }

    private static SliceDecision.Change retold(
            SliceDecision.Change change, Origin.Planner which, String what, Placement placement) {
        Origin origin = change.origin();
        return change.with(new Origin(which, origin.bundles(), what + ", " + origin.why()), placement);
    }
}
