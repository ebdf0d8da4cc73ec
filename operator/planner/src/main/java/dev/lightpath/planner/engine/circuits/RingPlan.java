package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.PerNode;
import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
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
import org.jspecify.annotations.Nullable;

/**
 * What the records of a ring and the light on its devices lead to: which circuits are wanted, whose they are, and what
 * is foreign or left. A node that Kubernetes reports changes none of it. So the plan of the pass before is the plan of
 * this one as long as its {@link Grounds} are the same. Filled by {@link RingCircuits} and not changed after.
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
            return positions == other.positions
                    && devices == other.devices
                    && contact == other.contact
                    && ring.equals(other.ring)
                    && policy.equals(other.policy)
                    && quarantinedPorts.equals(other.quarantinedPorts)
                    && locked.equals(other.locked)
                    && lacking.equals(other.lacking)
                    && (slices == other.slices || alike(slices, other.slices));
        }

        private static boolean alike(List<SliceState> some, List<SliceState> others) {
            if (some.size() != others.size()) {
                return false;
            }
            for (int index = 0; index < some.size(); index++) {
                SliceState slice = some.get(index);
                SliceState other = others.get(index);
                if (slice.intent() != other.intent()
                        || record(slice) != record(other)
                        || slice.lost() != other.lost()
                        || !slice.version().equals(other.version())) {
                    return false;
                }
            }
            return true;
        }

        private static @Nullable Allocation record(SliceState slice) {
            return slice.recorded().orElse(null);
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

    /** Nodes whose devices do not show just what is wanted, or are on the way to it; worked out when first asked for. */
    private @Nullable List<Differing> differing;

    private FabricVerdict.@Nullable Circuits figures;
    private @Nullable Long lit;

    /** @param device that differs */
    record Differing(String node, DeviceState device, CrossConnects wanted) {}

    private RingPlan(RingPositions sites, Grounds grounds) {
        this.wanted = new PerNode<>(sites);
        this.owner = new PerNode<>(sites);
        this.grounds = grounds;
    }

    /** The plan of the pass before, if it is the plan of this one too. Linear in slices. */
    static Optional<RingPlan> before(RingState state, List<SliceState> slices) {
        Grounds now = Grounds.of(state, slices);
        return state.memory().before(SLOT).filter(plan -> plan.grounds.isAs(now));
    }

    /** A plan to be filled. */
    static RingPlan empty(RingState state, List<SliceState> slices) {
        return new RingPlan(state.sites(), Grounds.of(state, slices));
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

    /** In figures. O(nodes), once. */
    FabricVerdict.Circuits figures() {
        FabricVerdict.Circuits known = figures;
        if (known == null) {
            Tally tally = new Tally();
            wanted.forEach((node, device, circuits) -> tally.count(device, circuits));
            known = new FabricVerdict.Circuits(tally.planned, tally.lit, foreign.size(), tally.missing);
            figures = known;
        }
        return known;
    }

    /** How many circuits are on devices that answer. O(devices), once. */
    long lit() {
        Long known = lit;
        if (known == null) {
            known = CircuitDiff.lit(grounds.devices().values().stream());
            lit = known;
        }
        return known;
    }

    /** Of circuits, node by node. */
    private static final class Tally {
        private int planned;
        private int lit;
        private int missing;

        void count(@Nullable DeviceState device, CrossConnects wanted) {
            planned += wanted.circuits().size();
            if (device == null) {
                return;
            }
            int there = wanted.shared(device.circuits());
            lit += there;
            if (device.present()) {
                missing += wanted.circuits().size() - there;
            }
        }
    }

    /** In order of positions, then all others. O(nodes), once. */
    List<Differing> differing() {
        List<Differing> known = differing;
        if (known == null) {
            List<Differing> found = new ArrayList<>();
            wanted.forEach((node, device, circuits) -> {
                if (device != null && !(device.moving().isEmpty() && circuits.equals(device.circuits()))) {
                    found.add(new Differing(node, device, circuits));
                }
            });
            known = List.copyOf(found);
            differing = known;
        }
        return known;
    }
}
