package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.ring.repair.RingRepair;
import dev.lightpath.planner.world.Allocation;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is broken of a placed slice, and how far a repair gets that moves no other one. */
final class OwnRepair {
    private final RingSeats seats;
    private final RingState state;
    private final RingFabric ring;
    private final SliceState slice;
    private final RingPlacement placement;
    private final DisplacedMembers displaced;
    private final SortedSet<Integer> broken;
    private final Found found;

    /**
     * A repair by the slice itself.
     *
     * @param replacements positions of its own at which another node is by now that it may have
     */
    private record Found(Set<Integer> replacements, RepairOutcome outcome) {}

    OwnRepair(RingSeats seats, SliceState slice) {
        this.seats = seats;
        this.state = seats.state();
        this.ring = seats.ring();
        this.slice = slice;
        this.placement = slice.placement(ring);
        this.displaced = DisplacedMembers.of(state, recorded());
        this.broken = broken(displaced.with(state.health(), Set.of()));
        this.found = broken.isEmpty() ? new Found(Set.of(), new RepairOutcome.NoRepair("nothing is broken")) : search();
    }

    private Allocation recorded() {
        return slice.recorded().orElseThrow();
    }

    private Found search() {
        Found first = search(displaced);
        // a group that stays lost keeps naming who moved, and who moved may sit where another group would be repaired
        return first.outcome() instanceof RepairOutcome.Repaired some && seats.namesTwice(slice, some, broken)
                ? search(displaced.strict())
                : first;
    }

    private Found search(DisplacedMembers members) {
        Set<Integer> replacements = members.replacements(seats.occupancy(), slice.id());
        return new Found(replacements, local(members.with(state.health(), replacements)));
    }

    private SortedSet<Integer> broken(RingHealth health) {
        SortedSet<Integer> indices = new TreeSet<>();
        for (int index = 0; index < placement.groups().size(); index++) {
            if (!health.supports(ring, placement.groups().get(index))) {
                indices.add(index);
            }
        }
        return indices;
    }

    private RepairOutcome local(RingHealth health) {
        Optional<String> awaited = ScaleOutPlacement.awaited(state.world(), slice.intent());
        if (awaited.isPresent()) {
            return new RepairOutcome.NoRepair(
                    "its slice on fabric " + awaited.get() + ", which knows the pods of its stages, is not there");
        }
        Occupancy occupancy = seats.occupancy();
        RepairOutcome own = local(health, occupancy.closedTo(slice.id()));
        return occupancy.anyReserved()
                        && !(own instanceof RepairOutcome.Repaired all
                                && all.lost().isEmpty())
                ? local(health, occupancy.closedToBroken(slice.id()))
                : own;
    }

    private RepairOutcome local(RingHealth health, Set<Integer> closed) {
        Set<Integer> spares = seats.occupancy().spares(placement, health, closed);
        return scaleOut()
                .map(pods -> new FabricPodRepair(state, pods, health, spares)
                        .repair(placement.groups(), broken, slice.demand().tensor()))
                .orElseGet(() -> RingRepair.repair(ring, health, placement.groups(), broken, spares));
    }

    private Optional<ScaleOutPlacement> scaleOut() {
        return ScaleOutPlacement.of(state.world(), slice.intent());
    }

    RingPlacement placement() {
        return placement;
    }

    /** Indices of broken groups. */
    SortedSet<Integer> broken() {
        return broken;
    }

    /** Positions of its own at which another node is by now that it may have. */
    Set<Integer> replacements() {
        return found.replacements();
    }

    /** What the slice has after what can be repaired is; without a repair all that is broken is lost. */
    RepairOutcome.Repaired repaired() {
        return switch (found.outcome()) {
            case RepairOutcome.Repaired some -> some;
            case RepairOutcome.NoRepair none ->
                new RepairOutcome.Repaired(placement.groups(), new TreeSet<>(), broken, 0);
        };
    }

    /** Why that is not all, for people. */
    String shortfall() {
        return switch (found.outcome()) {
            case RepairOutcome.Repaired some ->
                "no spare within reach for " + some.lost().size() + " of its groups";
            case RepairOutcome.NoRepair none -> none.reason();
        };
    }

    /** Whether it repairs one of the broken groups, be it by a machine that came for another. */
    boolean repairsAny() {
        return !repaired().lost().containsAll(broken);
    }

    /** Whether the job is on this fabric alone. */
    boolean isAlone() {
        return slice.intent().beside().isEmpty() && scaleOut().isEmpty();
    }

    /** The health of the ring for a repair that moves other slices too. */
    RingHealth healthAmongOthers() {
        return displaced.strict().with(state.health(), found.replacements());
    }

    /**
     * Since when the broken groups lack the light they need; what they can do without does not count. {@link
     * Instant#EPOCH} where no fault tells.
     */
    Instant brokenSince() {
        return broken.stream()
                .map(index -> brokenSince(
                        recorded().groups().get(index), placement.groups().get(index)))
                .min(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    /** The first moment at which a fault of a member did that. O(faults of the members squared). */
    private Instant brokenSince(Allocation.Group recorded, RingGroup group) {
        Map<String, Integer> positions = new HashMap<>();
        recorded.members().forEach(member -> positions.put(member.node(), member.position()));
        SortedSet<Integer> faulty = new TreeSet<>();
        SortedMap<Integer, SortedSet<BundlePath>> lost = new TreeMap<>();
        List<Fault> of = state.tracker().faults().reversed().stream()
                .filter(fault -> positions.containsKey(fault.subject().holder()))
                .toList();
        for (Fault fault : of) {
            int position = Objects.requireNonNull(positions.get(fault.subject().holder()));
            if (fault.subject() instanceof Subject.OfPort port) {
                lost.computeIfAbsent(position, unseen -> new TreeSet<>())
                        .addAll(TransceiverPorts.lostWith(port.port()));
            } else {
                faulty.add(position);
            }
            if (!RingHealth.of(faulty, lost).supports(ring, group)) {
                return fault.since();
            }
        }
        return Instant.EPOCH;
    }

    /** Names of the members that break the groups. */
    List<String> faultyMembers() {
        RingHealth health = displaced.with(state.health(), Set.of());
        SortedSet<String> names = new TreeSet<>();
        for (int index : broken) {
            RingGroup group = placement.groups().get(index);
            for (int rank : health.culprits(ring, group)) {
                names.add(recorded().groups().get(index).members().get(rank).node());
            }
        }
        return List.copyOf(names);
    }
}
