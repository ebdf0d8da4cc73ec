package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.PerNode;
import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the records of a ring and the light on its devices lead to: which circuits are wanted, whose they are, and what
 * is foreign or left. A node that Kubernetes reports changes none of it. So the plan of the pass before is the plan of
 * this one as long as its {@link Grounds} are the same. Where only some records and devices are others, it goes on
 * from that plan. Filled by {@link RingPlanning} and not changed after.
 */
final class RingPlan {
    /** That of the pass before. */
    static final Slot<RingPlan> SLOT = new Slot<>("ring plan");

    /**
     * All that a plan follows from.
     *
     * @param seats of all slices, compared by identity; null where any record does not fit, was lost or is doubted
     * @param positions of nodes by name, compared by identity
     * @param devices of the driver, compared by identity
     */
    private record Grounds(
            @Nullable RecordedSeats seats,
            Map<String, Integer> positions,
            SortedMap<String, DeviceState> devices,
            DriverState.Contact contact,
            RingFabric ring,
            FabricPolicy policy,
            SortedSet<String> quarantinedPorts,
            SortedSet<DeviceId> locked,
            SortedMap<String, String> lacking) {
        static Grounds of(RingState state, @Nullable RecordedSeats seats) {
            return new Grounds(
                    seats,
                    state.byName(),
                    state.driver().devices(),
                    state.driver().contact(),
                    state.intent().ring(),
                    state.intent().policy(),
                    state.intent().quarantinedPorts(),
                    state.world().locked(),
                    state.lacking());
        }

        boolean isAs(Grounds other) {
            return isLike(other) && devices == other.devices && locked.equals(other.locked) && seats == other.seats;
        }

        /** Whether at most records, and what the driver tells of devices, are others. */
        boolean goOnFrom(Grounds before) {
            return isLike(before) && seats != null && before.seats != null && seats.indices() == before.seats.indices();
        }

        /** Whether all but slices and devices is the same. */
        private boolean isLike(Grounds other) {
            return positions == other.positions
                    && contact == other.contact
                    && ring.equals(other.ring)
                    && policy.equals(other.policy)
                    && quarantinedPorts.equals(other.quarantinedPorts)
                    && lacking.equals(other.lacking);
        }
    }

    /** The circuits wanted on each node. */
    final PerNode<CrossConnects> wanted;
    /** Whose record names each node, wherever it sits now. */
    final PerNode<SliceState> owner;

    final Set<String> releasing = new HashSet<>();
    /** The slices that left them; not of quarantined ones. */
    final Map<String, SliceId> leavers = new HashMap<>();
    /** Of these, those that a slice left that keeps its place. */
    final Set<String> left = new HashSet<>();

    /** Nodes with ports in quarantine: not placeable. */
    final SortedSet<String> quarantined = new TreeSet<>();

    final SortedSet<String> quarantinedPorts = new TreeSet<>();
    final SortedSet<String> foreign = new TreeSet<>();
    /** Nodes that carry foreign light: not placeable. */
    final Set<String> foreignNodes = new HashSet<>();
    /**
     * Nodes neither placeable nor to be changed: their light belongs to a record that does not fit the fabric, or their
     * devices do not have the ports that the fabric takes.
     */
    final SortedSet<String> untouched = new TreeSet<>();

    boolean recorded;
    /** A slice that waits for its record, and whose light it may be that no record explains. */
    Optional<SliceId> doubted = Optional.empty();

    private final Grounds grounds;

    private final boolean plain;

    /** Stands for this plan. */
    final Object stamp = new Object();

    /** Stands for the plan of the pass before, with the positions at which this one may differ from it. */
    private @Nullable Object from;

    private BitSet changed = new BitSet();

    /** Worked out when it is first asked for. */
    private @Nullable Count count;

    private final Lazy<List<Differing>> differing = new Lazy<>(this::findDiffering);
    private @Nullable Long lit;

    /**
     * A device that does not show just what is wanted, or is on the way to it.
     *
     * @param device that differs
     */
    record Differing(String node, DeviceState device, CrossConnects wanted) {
        static boolean is(@Nullable DeviceState device, CrossConnects wanted) {
            return device != null && !(device.moving().isEmpty() && wanted.equals(device.circuits()));
        }
    }

    private RingPlan(PerNode<CrossConnects> wanted, PerNode<SliceState> owner, Grounds grounds, boolean plain) {
        this.wanted = wanted;
        this.owner = owner;
        this.grounds = grounds;
        this.plain = plain;
    }

    /** The plan of the pass before, if it is the plan of this one too. */
    static Optional<RingPlan> before(RingState state, RecordedSeats seats) {
        Grounds now = Grounds.of(state, seats);
        return state.memory().before(SLOT).filter(plan -> plan.grounds.isAs(now));
    }

    /**
     * A plan to be filled.
     *
     * @param seats of all slices; null where any record does not fit, was lost or is doubted
     * @param plain whether each node is named by one record at most and sits where that says, and nothing is in
     *     quarantine
     */
    static RingPlan empty(RingState state, @Nullable RecordedSeats seats, boolean plain) {
        return new RingPlan(
                new PerNode<>(state.positions()), new PerNode<>(state.positions()), Grounds.of(state, seats), plain);
    }

    /**
     * Whether it may go on from the plan of the pass before: both are plain and of the same slices in the same order,
     * and at most their records and devices are others.
     */
    boolean mayGoOnFrom(RingPlan last) {
        return plain && recorded && last.plain && last.recorded && grounds.goOnFrom(last.grounds);
    }

    /** Takes over the circuits and owners of the plan of the pass before, where nodes have not moved. */
    void goOnFrom(RingPlan last) {
        wanted.takeOver(last.wanted);
        owner.takeOver(last.owner);
        foreign.addAll(last.foreign);
        foreignNodes.addAll(last.foreignNodes);
        compareWith(last);
    }

    /** Slices that have another wish or record than in a plan before, each with what it had. */
    void forEachChanged(RingPlan before, BiConsumer<SliceState, SliceState> each) {
        List<SliceState> slices = Objects.requireNonNull(grounds.seats()).slices();
        List<SliceState> were = Objects.requireNonNull(before.grounds.seats()).slices();
        for (int index = 0; index < slices.size(); index++) {
            SliceState slice = slices.get(index);
            SliceState was = were.get(index);
            if (slice != was && !slice.isAs(was)) {
                each.accept(was, slice);
            }
        }
    }

    /** Positions at which this may differ from the plan of the pass before. */
    BitSet changed() {
        return changed;
    }

    /** Tells where it differs from the plan of the pass before. O(positions). */
    void compareWith(RingPlan before) {
        if (grounds.isLike(before.grounds)) {
            from = before.stamp;
            changed = wanted.differing(before.wanted);
        }
    }

    /** Positions at which this may differ from the plan that this stands for; empty where that is not known. */
    Optional<BitSet> changedSince(Object plan) {
        if (plan == stamp) {
            return Optional.of(new BitSet());
        }
        return Optional.of(changed).filter(positions -> plan == from);
    }

    /** Whose record names a node, wherever it sits now. */
    @Nullable
    SliceState ownerOf(String node) {
        return owner.get(node);
    }

    /** The same of who sits there. */
    @Nullable
    SliceState ownerAt(int position) {
        return owner.at(position);
    }

    /** The circuits wanted on a node's transceivers. */
    CrossConnects wantedOn(String node) {
        return orNone(wanted.get(node));
    }

    /** The same of a member's node. */
    CrossConnects wantedOn(Allocation.Member member) {
        return orNone(wanted.get(member));
    }

    private static CrossConnects orNone(@Nullable CrossConnects circuits) {
        return circuits == null ? CrossConnects.none() : circuits;
    }

    SortedMap<String, CrossConnects> wantedByDevice() {
        SortedMap<String, CrossConnects> all = new TreeMap<>();
        wanted.forEach((node, device, circuits) -> all.put(node, circuits));
        return all;
    }

    /** Nobody has a node there, and nothing is wanted of it. */
    void clear(int position) {
        wanted.clear(position);
        owner.clear(position);
    }

    /** No light of a node is foreign. */
    void explain(String node) {
        if (foreignNodes.remove(node)) {
            foreign.subSet(node + "/", node + (char) ('/' + 1)).clear();
        }
    }

    /** Counts on from the plan of the pass before, once this one is filled and compared with it. O(changes). */
    void countOn(RingPlan before) {
        if (from != before.stamp) {
            return;
        }
        Count known = before.count;
        if (known != null) {
            Count next = known.copy();
            changed.stream().forEach(position -> {
                before.wanted.visit(position, (node, device, circuits) -> next.count(position, device, circuits, -1));
                wanted.visit(position, (node, device, circuits) -> next.count(position, device, circuits, 1));
            });
            count = next;
        }
        Long light = before.lit;
        if (light != null) {
            long[] sum = {light};
            FixedMap.changes(before.grounds.devices(), grounds.devices(), (name, was, is) -> {
                sum[0] -= was == null ? 0 : CircuitDiff.lit(Stream.of(was));
                sum[0] += is == null ? 0 : CircuitDiff.lit(Stream.of(is));
            });
            lit = sum[0];
        }
    }

    /** In figures. O(nodes) once, or O(changes). */
    FabricVerdict.Circuits figures() {
        Count all = count().copy();
        wanted.forEachElsewhere((node, device, circuits) -> all.count(device, circuits, 1));
        return new FabricVerdict.Circuits(all.planned, all.lit, foreign.size(), all.missing);
    }

    /** How many circuits are on devices that answer. O(devices) once, or O(changes). */
    long lit() {
        Long known = lit;
        if (known == null) {
            known = CircuitDiff.lit(grounds.devices().values().stream());
            lit = known;
        }
        return known;
    }

    private Count count() {
        Count known = count;
        if (known == null) {
            Count all = new Count();
            wanted.forEachPosition(position ->
                    wanted.visit(position, (node, device, circuits) -> all.count(position, device, circuits, 1)));
            count = all;
            known = all;
        }
        return known;
    }

    /** Of circuits of nodes on the ring. */
    private static final class Count {
        private int planned;
        private int lit;
        private int missing;
        /** Positions of devices that do not show just what is wanted. */
        private BitSet differing = new BitSet();

        Count copy() {
            Count copy = new Count();
            copy.planned = planned;
            copy.lit = lit;
            copy.missing = missing;
            copy.differing = (BitSet) differing.clone();
            return copy;
        }

        /** @param sign 1 to count them, -1 to count them no more */
        void count(int position, @Nullable DeviceState device, CrossConnects wanted, int sign) {
            count(device, wanted, sign);
            differing.set(position, sign > 0 && Differing.is(device, wanted));
        }

        void count(@Nullable DeviceState device, CrossConnects wanted, int sign) {
            planned += sign * wanted.circuits().size();
            if (device == null || !device.answers()) {
                return;
            }
            int there = wanted.shared(device.circuits());
            lit += sign * there;
            if (device.present()) {
                missing += sign * (wanted.circuits().size() - there);
            }
        }
    }

    /** In order of positions, then all others. O(nodes) once, or O(changes and these). */
    List<Differing> differing() {
        return differing.get();
    }

    private List<Differing> findDiffering() {
        List<Differing> found = new ArrayList<>();
        PerNode.Each<CrossConnects> each = (node, device, circuits) -> {
            if (device != null && Differing.is(device, circuits)) {
                found.add(new Differing(node, device, circuits));
            }
        };
        count().differing.stream().forEach(position -> wanted.visit(position, each));
        wanted.forEachElsewhere(each);
        return List.copyOf(found);
    }
}
