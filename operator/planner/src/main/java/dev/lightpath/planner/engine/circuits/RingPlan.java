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
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
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
     * @param slices compared by what is wished and recorded, both by identity
     * @param positions of nodes by name, compared by identity
     * @param devices of the driver, compared by identity
     */
    private record Grounds(
            List<SliceState> slices,
            Map<String, Integer> positions,
            SortedMap<String, DeviceState> devices,
            DriverState.Contact contact,
            RingFabric ring,
            FabricPolicy policy,
            SortedSet<String> quarantinedPorts,
            SortedSet<DeviceId> locked,
            SortedMap<String, String> lacking) {
        static Grounds of(RingState state, List<SliceState> slices) {
            return new Grounds(
                    slices,
                    state.sites().positions(),
                    state.driver().devices(),
                    state.driver().contact(),
                    state.intent().ring(),
                    state.intent().policy(),
                    state.intent().quarantinedPorts(),
                    state.world().locked(),
                    state.lacking());
        }

        boolean isAs(Grounds other) {
            return isLike(other)
                    && devices == other.devices
                    && locked.equals(other.locked)
                    && (slices == other.slices || alike(slices, other.slices));
        }

        /** Whether at most records, and what the driver tells of devices, are others. */
        boolean goOnFrom(Grounds before) {
            return isLike(before)
                    && slices.size() == before.slices.size()
                    && IntStream.range(0, slices.size())
                            .allMatch(index -> slices.get(index)
                                    .id()
                                    .equals(before.slices.get(index).id()));
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

        private static boolean alike(List<SliceState> some, List<SliceState> others) {
            if (some.size() != others.size()) {
                return false;
            }
            for (int index = 0; index < some.size(); index++) {
                if (!some.get(index).isAs(others.get(index))) {
                    return false;
                }
            }
            return true;
        }
    }

    private final PerNode<CrossConnects> wanted;
    private final PerNode<SliceState> owner;
    final Set<String> releasing = new HashSet<>();
    /** The slices that left them; not of quarantined ones. */
    final Map<String, SliceId> leavers = new HashMap<>();
    /** Of these, those that a slice left that keeps its place. */
    final Set<String> left = new HashSet<>();

    final SortedSet<String> quarantined = new TreeSet<>();
    final SortedSet<String> quarantinedPorts = new TreeSet<>();
    final SortedSet<String> foreign = new TreeSet<>();
    final Set<String> foreignNodes = new HashSet<>();
    final SortedSet<String> untouched = new TreeSet<>();
    boolean recorded;
    /** A slice that waits for its record, and whose light it may be that no record explains. */
    Optional<SliceId> doubted = Optional.empty();

    private final Grounds grounds;

    /** Whether each node is named by one record at most and sits where that says, and nothing is in quarantine. */
    private final boolean plain;

    /** Stands for this plan. */
    final Object stamp = new Object();

    /** Stands for the plan that this one went on from, with the positions at which they may differ. */
    private @Nullable Object from;

    private BitSet changed = new BitSet();

    /** Worked out when it is first asked for. */
    private @Nullable Count count;

    private @Nullable List<Differing> differing;
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

    /** The plan of the pass before, if it is the plan of this one too. Linear in slices. */
    static Optional<RingPlan> before(RingState state, List<SliceState> slices) {
        Grounds now = Grounds.of(state, slices);
        return state.memory().before(SLOT).filter(plan -> plan.grounds.isAs(now));
    }

    /** A plan to be filled by all slices. */
    static RingPlan empty(RingState state, List<SliceState> slices) {
        return empty(state, slices, false);
    }

    private static RingPlan empty(RingState state, List<SliceState> slices, boolean plain) {
        return new RingPlan(
                new PerNode<>(state.sites()), new PerNode<>(state.sites()), Grounds.of(state, slices), plain);
    }

    /**
     * A plan that is not whole yet.
     *
     * @param last what it goes on from; empty where it is to be filled by all slices
     * @param unfinished slices that left nodes or wait for an answer
     */
    record Begun(RingPlan plan, Optional<RingPlan> last, List<SliceState> unfinished) {}

    /**
     * A plan of slices whose records all fit. It goes on from that of the pass before if both are plain and of the same
     * slices in the same order, and at most their records and devices are others. O(slices).
     */
    static Begun begin(RingState state, List<SliceState> slices) {
        RecordedSeats seats = RecordedSeats.ofRecords(state.intent().ring(), slices, state.memory());
        boolean plain = !seats.overlaps()
                && state.strays().isEmpty()
                && state.intent().quarantinedPorts().isEmpty()
                && slices.stream().noneMatch(slice -> slice.intent().forced());
        Grounds now = Grounds.of(state, slices);
        Optional<RingPlan> last = state.memory()
                .before(SLOT)
                .filter(plan ->
                        plain && !seats.owned().isEmpty() && plan.plain && plan.recorded && now.goOnFrom(plan.grounds));
        return new Begun(
                last.map(plan -> plan.next(state, slices)).orElseGet(() -> empty(state, slices, plain)),
                last,
                seats.unfinished().toList());
    }

    /** A plan that goes on from this one, with the same circuits and owners, where nodes have not moved. */
    private RingPlan next(RingState state, List<SliceState> slices) {
        RingPlan next =
                new RingPlan(wanted.on(state.sites()), owner.on(state.sites()), Grounds.of(state, slices), true);
        next.from = stamp;
        next.changed = wanted.differing(state.sites());
        next.foreign.addAll(foreign);
        next.foreignNodes.addAll(foreignNodes);
        next.recorded = true;
        return next;
    }

    /** Slices that have another wish or record than in a plan before, each with what it had. */
    void forEachChanged(RingPlan before, BiConsumer<SliceState, SliceState> each) {
        for (int index = 0; index < grounds.slices().size(); index++) {
            SliceState slice = grounds.slices().get(index);
            SliceState was = before.grounds.slices().get(index);
            if (slice != was && !slice.isAs(was)) {
                each.accept(was, slice);
            }
        }
    }

    /** Positions at which this may differ from the plan that it went on from. */
    BitSet changed() {
        return changed;
    }

    /** The same, if it went on from a plan that this stands for. */
    Optional<BitSet> changedSince(Object plan) {
        return Optional.of(changed).filter(positions -> plan == from);
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

    /** Counts on from a plan before, once this one is filled. O(changes). */
    void countOn(RingPlan before) {
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

    /** Whose record names a node, wherever it sits now; null if none does. */
    @Nullable
    SliceState ownerOf(String node) {
        return owner.get(node);
    }

    /** Whose record names the node that sits there; null if none does. */
    @Nullable
    SliceState ownerAt(int position) {
        return owner.at(position);
    }

    /** @param position where the node sits, as the sites say */
    void own(String node, int position, SliceState slice) {
        owner.put(node, position, slice);
    }

    /** The circuits wanted on a node; null if nothing is. */
    @Nullable
    CrossConnects wantedOf(String node) {
        return wanted.get(node);
    }

    /** The same of a member's node. */
    @Nullable
    CrossConnects wantedOf(Allocation.Member member) {
        return wanted.get(member);
    }

    /** @param position where the node sits, as the sites say */
    void want(String node, int position, CrossConnects circuits) {
        wanted.put(node, position, circuits);
    }

    void want(String node, CrossConnects circuits) {
        wanted.put(node, circuits);
    }

    /** In order of positions, then all others. O(nodes). */
    void forEachWanted(BiConsumer<String, CrossConnects> each) {
        wanted.forEach((node, device, circuits) -> each.accept(node, circuits));
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
            if (device == null) {
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
        List<Differing> known = differing;
        if (known == null) {
            List<Differing> found = new ArrayList<>();
            PerNode.Each<CrossConnects> each = (node, device, circuits) -> {
                if (device != null && Differing.is(device, circuits)) {
                    found.add(new Differing(node, device, circuits));
                }
            };
            count().differing.stream().forEach(position -> wanted.visit(position, each));
            wanted.forEachElsewhere(each);
            known = List.copyOf(found);
            differing = known;
        }
        return known;
    }
}
