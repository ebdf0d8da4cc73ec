package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.ring.rack.RackAlgorithm;
import dev.lightpath.planner.ring.rack.RackOrchestration;
import dev.lightpath.planner.ring.rack.RackOutcome;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Origin.Planner;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The first place of a job, or of groups by which it grows: along the fibre where a rack holds one node, else by racks.
 * Spare nodes are left between its groups, where a repair will look for them: by racks only as far as that costs no
 * traffic across racks.
 */
sealed interface InitialPlacement {
    record Found(RingPlacement placement, Planner planner, String why) implements InitialPlacement {}

    /** @param usableGroups of the wanted size that there is room for */
    record None(int usableGroups) implements InitialPlacement {}

    static InitialPlacement of(RingFabric ring, RingHealth health, RingDemand demand, Set<Integer> occupied) {
        return ring.nodesPerTor() == 1 || demand.groupsPerNode(ring) > 1
                ? alongTheFibre(ring, health, demand, occupied)
                : byRacks(ring, health, demand, occupied);
    }

    /** Room for all its groups; else for as many as are whole replicas and enough. At most a placement per replica. */
    static InitialPlacement widest(RingFabric ring, RingHealth health, SliceState slice, Set<Integer> occupied) {
        InitialPlacement all = of(ring, health, slice.demand(), occupied);
        return all instanceof None none
                        && narrower(ring, health, slice, none.usableGroups(), occupied) instanceof Found found
                ? found
                : all;
    }

    private static InitialPlacement narrower(
            RingFabric ring, RingHealth health, SliceState slice, int usable, Set<Integer> occupied) {
        Demand.ScaleUp asked = slice.scaleUp();
        OptionalInt width = asked.width(usable);
        while (width.isPresent()) {
            InitialPlacement some = of(ring, health, slice.demand(width.getAsInt()), occupied);
            if (some instanceof Found found) {
                return new Found(found.placement(), found.planner(), found.why() + "; " + asked.told(width.getAsInt()));
            }
            width = asked.width(width.getAsInt() - asked.groupsPerReplica());
        }
        return new None(usable);
    }

    /** Room for groups that a placed slice lacks, on other nodes than its own. */
    static InitialPlacement more(RingFabric ring, RingHealth health, SliceState slice, Set<Integer> occupied) {
        Demand.ScaleUp asked = slice.scaleUp();
        Set<Integer> closed = new HashSet<>(occupied);
        closed.addAll(slice.placement(ring).positions());
        int has = slice.placement(ring).groups().size();
        for (int lacking = asked.groups() - has; lacking > 0; lacking -= asked.groupsPerReplica()) {
            if (of(ring, health, slice.demand(lacking), closed) instanceof Found found) {
                return new Found(found.placement(), found.planner(), "grows: " + asked.told(has + lacking));
            }
        }
        return new None(0);
    }

    default Optional<RingPlacement> found() {
        return this instanceof Found found ? Optional.of(found.placement()) : Optional.empty();
    }

    default int groups() {
        return found().map(placement -> placement.groups().size()).orElse(0);
    }

    private static InitialPlacement alongTheFibre(
            RingFabric ring, RingHealth health, RingDemand demand, Set<Integer> occupied) {
        return switch (RingOrchestration.place(ring, health, demand, occupied)) {
            case PlacementOutcome.Placed placed ->
                new Found(
                        placed.placement(),
                        Planner.LINE,
                        "placed along the fibre, spare nodes between its groups; there was room for "
                                + placed.usableGroups());
            case PlacementOutcome.Infeasible none -> new None(none.usableGroups());
        };
    }

    private static InitialPlacement byRacks(
            RingFabric ring, RingHealth health, RingDemand demand, Set<Integer> occupied) {
        return switch (RackOrchestration.place(ring, health, demand, occupied, RackAlgorithm.EXACT)) {
            case RackOutcome.Placed placed -> {
                RackOutcome.Placed spread = spread(ring, health, demand, occupied, placed);
                yield new Found(
                        spread.placement(),
                        Planner.RACK,
                        String.format(
                                Locale.ROOT,
                                "placed by racks: cross-ToR ratio %.4f, none below %.4f; there was room for %d groups",
                                spread.crossTorRatio(),
                                placed.crossTorBound(),
                                placed.usableGroups()));
            }
            case RackOutcome.Infeasible none -> new None(none.usableGroups());
        };
    }

    /** Keeps whole racks free between the sets of groups, as many as can be without more traffic across racks. */
    private static RackOutcome.Placed spread(
            RingFabric ring, RingHealth health, RingDemand demand, Set<Integer> occupied, RackOutcome.Placed packed) {
        int sets = Math.ceilDiv(demand.groups(), ring.nodesPerTor());
        boolean[] whole = wholeRacks(ring, health, occupied);
        int racks = 0;
        for (boolean free : whole) {
            racks += free ? 1 : 0;
        }
        int size = demand.nodesPerGroup(ring);
        for (int spare = racks - sets * size; spare > 0; spare /= 2) {
            Set<Integer> barred = new HashSet<>(occupied);
            bar(ring, whole, size, sets, spare, barred);
            if (RackOrchestration.place(ring, health, demand, barred, RackAlgorithm.EXACT)
                            instanceof RackOutcome.Placed wide
                    && wide.crossTorRatio() <= packed.crossTorRatio()) {
                return wide;
            }
        }
        return packed;
    }

    private static boolean[] wholeRacks(RingFabric ring, RingHealth health, Set<Integer> occupied) {
        boolean[] whole = new boolean[ring.tors()];
        Arrays.fill(whole, true);
        for (int position = 0; position < ring.positions(); position++) {
            if (health.isFaulty(position) || health.lost().containsKey(position) || occupied.contains(position)) {
                whole[ring.torOf(position)] = false;
            }
        }
        return whole;
    }

    /** Bars {@code spare} whole racks, an even share of them before each set's worth of racks. */
    private static void bar(RingFabric ring, boolean[] whole, int size, int sets, int spare, Set<Integer> barred) {
        int barredRacks = 0;
        int used = 0;
        for (int tor = 0; tor < whole.length; tor++) {
            if (!whole[tor]) {
                continue;
            }
            long due = (long) spare * (2L * (used / size) + 1) / (2L * sets);
            if (used % size == 0 && barredRacks < due && barredRacks < spare) {
                barredRacks++;
                for (int at = tor; at < ring.positions(); at += ring.tors()) {
                    barred.add(at);
                }
            } else {
                used++;
            }
        }
    }
}
