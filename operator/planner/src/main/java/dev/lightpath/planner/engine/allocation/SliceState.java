package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A slice of one ring with what is recorded for it.
 *
 * @param intent the wish
 * @param version the resourceVersion of the object that the record is in
 * @param recorded what it was given, if anything
 * @param lost whether the API server does not have that record any more, so that it has to be written again
 * @param known what followed from a record of the slice in the pass before
 */
public record SliceState(
        SliceIntent intent,
        String version,
        Optional<Allocation> recorded,
        boolean lost,
        Optional<DerivedPlacement> known) {
    /**
     * What slices ask of a fabric, in order of precedence; of a ring, those that ask for groups. Without those whose
     * record is being read, or cannot be.
     */
    public static List<SliceState> of(World world, FabricIntent fabric) {
        return world.slices().values().stream()
                .filter(slice -> slice.fabric().equals(fabric.name()))
                .filter(slice -> fabric instanceof OcsIntent || slice.demand() instanceof Demand.ScaleUp)
                .sorted(SliceIntent.PRECEDENCE)
                .flatMap(slice -> recorded(world, slice).stream())
                .toList();
    }

    /** One of them; empty if its record is being read, or cannot be. */
    public static Optional<SliceState> recorded(World world, SliceIntent slice) {
        return Optional.ofNullable(world.ledger().get(slice.id()))
                .map(entry -> new SliceState(
                        slice,
                        entry.version(),
                        entry.allocation(),
                        entry.lost(),
                        world.cacheOf(slice.fabric())
                                .get(RecordedSeats.OF_RECORDS)
                                .flatMap(before -> before.derived(slice.id()))));
    }

    public SliceId id() {
        return intent.id();
    }

    /** Whether it is the same wish with the same record: both by identity. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isAs(SliceState other) {
        return intent == other.intent
                && recorded.orElse(null) == other.recorded.orElse(null)
                && lost == other.lost
                && version.equals(other.version);
    }

    /** All the groups that it wants. */
    public RingDemand demand() {
        return demand(scaleUp().groups());
    }

    /** The groups that are enough. */
    public RingDemand least() {
        return demand(scaleUp().leastGroups());
    }

    /** So many of its groups. */
    public RingDemand demand(int groups) {
        return new RingDemand(scaleUp().gpusPerGroup(), groups);
    }

    /** What it asks of a ring. */
    public Demand.ScaleUp scaleUp() {
        return switch (intent.demand()) {
            case Demand.ScaleUp scaleUp -> scaleUp;
            case Demand.Topology topology -> throw offRing();
            case Demand.TorusShape torus -> throw offRing();
            case Demand.Traffic traffic -> throw offRing();
        };
    }

    private IllegalStateException offRing() {
        return new IllegalStateException(
                "slice " + id() + " asks for " + intent.demand() + ", not for groups on a ring");
    }

    /** Whether pods may use its light. What uses a static topology is not known, so its light counts as used. */
    public boolean usesLight() {
        return isStatic() || intent.workload().usesLight();
    }

    /** Whether groups are recorded: the slice has a place. */
    public boolean placed() {
        return recorded.filter(Allocation::placed).isPresent();
    }

    /** Whether it is the static topology of its fabric, and no job's. */
    public boolean isStatic() {
        return intent.demand() instanceof Demand.Topology;
    }

    /** Whether its light is to move once its job has answered. */
    public boolean awaitsAnswer() {
        return recorded.filter(Allocation::awaitsAnswer).isPresent();
    }

    /** The groups of its record. */
    public List<Allocation.Group> groups() {
        return recorded.map(Allocation::groups).orElse(List.of());
    }

    /** Their members. */
    public List<Allocation.Member> members() {
        return recorded.map(Allocation::members).orElse(List.of());
    }

    /** The circuits of switches that its record names. */
    public SwitchedLight circuits() {
        return recorded.map(Allocation::circuits).orElse(SwitchedLight.none());
    }

    /** Circuits of switches that its record gave up and that are not read back dark. */
    public SwitchedLight darkening() {
        return recorded.map(Allocation::darkening).orElse(SwitchedLight.none());
    }

    /** Groups as whole nodes. */
    public static List<RingGroup> groupsOf(Allocation allocation) {
        return allocation.groups().stream()
                .map(group -> RingGroup.of(group.members().stream()
                        .map(Allocation.Member::position)
                        .toList()))
                .toList();
    }

    /** What is remembered of this record on this ring: then it fits. */
    Optional<DerivedPlacement> remembered(RingFabric ring) {
        return known.filter(derived -> recorded.isPresent() && derived.isOf(recorded.get(), ring, demand()));
    }

    /** What follows from the record, which has to fit the ring. O(members), constant when it is remembered. */
    public DerivedPlacement derivedPlacement(RingFabric ring) {
        return remembered(ring)
                .orElseGet(() -> DerivedPlacement.of(recorded.orElseThrow(), ring, demand(), placement(ring)));
    }

    /** The circuits of each member, group by group. */
    public List<CrossConnects> circuits(RingFabric ring) {
        return derivedPlacement(ring).circuits();
    }

    /** This slice with what follows from its record, which has to fit the ring. */
    public SliceState deriving(RingFabric ring) {
        return placed() ? new SliceState(intent, version, recorded, lost, Optional.of(derivedPlacement(ring))) : this;
    }

    /** The recorded groups as the ring planner sees them; groups that share a node are numbered in order. */
    public RingPlacement placement(RingFabric ring) {
        return placed()
                ? remembered(ring)
                        .map(DerivedPlacement::placement)
                        .orElseGet(() -> new RingPlacement(seated(ring, groups())))
                : RingPlacement.EMPTY;
    }

    /** The same of groups that the slice is to have. */
    public List<RingGroup> seated(RingFabric ring, List<Allocation.Group> seats) {
        int shares = demand().groupsPerNode(ring);
        Map<Integer, Integer> taken = new HashMap<>();
        List<RingGroup> groups = new ArrayList<>();
        for (Allocation.Group group : seats) {
            List<Integer> members =
                    group.members().stream().map(Allocation.Member::position).toList();
            groups.add(
                    shares == 1
                            ? RingGroup.of(members)
                            : new RingGroup(members, taken.merge(members.getFirst(), 1, Integer::sum) - 1, shares));
        }
        return groups;
    }

    /**
     * The groups of a record that gives this placement to who sits there now. A group that keeps its seats keeps its
     * members.
     *
     * @param renewed indices of groups to which the seats that they keep are given anew: others sit there
     */
    public List<Allocation.Group> seat(RingIntent fabric, RingPlacement placement, Set<Integer> renewed) {
        List<Allocation.Group> were = groups();
        List<RingGroup> sat = placement(fabric.ring()).groups();
        List<Allocation.Group> groups = new ArrayList<>();
        for (int index = 0; index < placement.groups().size(); index++) {
            boolean stays = index < sat.size()
                    && sat.get(index).equals(placement.groups().get(index));
            groups.add(
                    stays && !renewed.contains(index)
                            ? were.get(index)
                            : new Allocation.Group(placement.groups().get(index).members().stream()
                                    .map(position -> new Allocation.Member(nameAt(fabric, position), position))
                                    .toList()));
        }
        return groups;
    }

    /** The record that gives these groups: what earlier revisions lit and this one does not is released. */
    public Allocation give(List<Allocation.Group> groups, Origin origin) {
        SortedSet<String> leaving = leaving();
        groups.forEach(group -> group.members().forEach(member -> leaving.remove(member.node())));
        return new Allocation(nextRevision(), groups, leaving, Optional.of(origin));
    }

    /** The record that gives everything up: nodes of a ring, or circuits of switches. */
    public Allocation giveUp() {
        return intent.demand() instanceof Demand.ScaleUp
                ? new Allocation(nextRevision(), List.of(), leaving())
                : light(List.of(), SwitchedLight.none(), Optional.empty());
    }

    /** The record of circuits on optical switches: what earlier revisions lit and this one does not goes dark. */
    public Allocation light(List<Allocation.Group> groups, SwitchedLight circuits, Optional<Origin> origin) {
        SwitchedLight before = recorded.map(allocation -> allocation.circuits().and(allocation.darkening()))
                .orElse(SwitchedLight.none());
        return new Allocation(
                nextRevision(), groups, Collections.emptySortedSet(), origin, circuits, before.minus(circuits));
    }

    private long nextRevision() {
        return recorded.map(Allocation::nextRevision).orElseGet(intent::firstRevision);
    }

    private SortedSet<String> leaving() {
        SortedSet<String> leaving = new TreeSet<>();
        recorded.ifPresent(allocation -> {
            leaving.addAll(allocation.nodes());
            leaving.addAll(allocation.releasing());
        });
        return leaving;
    }

    private static String nameAt(RingIntent fabric, int position) {
        RingNode node = fabric.nodes().get(position);
        if (node == null) {
            throw new IllegalStateException(
                    "fabric " + fabric.name() + ": position " + position + " was chosen and has no node");
        }
        return node.name();
    }
}
