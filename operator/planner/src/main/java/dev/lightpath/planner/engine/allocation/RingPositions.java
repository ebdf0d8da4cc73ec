package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which node is at each position of a ring, and what the driver tells of its transceivers. Names are looked up once for
 * a pass and not in every step of it; what follows from names alone is the same until a node moves, and is carried from
 * pass to pass.
 */
public final class RingPositions {
    /** Those of the pass before. */
    public static final Slot<RingPositions> SLOT = new Slot<>("ring positions");

    /** The position of who sits nowhere on the ring. */
    public static final int NOWHERE = -1;

    /**
     * A node at its place.
     *
     * @param device what the driver tells of its transceivers
     * @param calm whether nothing of what is told of them looks wrong by itself ({@link DeviceState#calm})
     */
    public record NodeAt(RingNode node, @Nullable DeviceState device, boolean calm) {
        private static NodeAt of(RingNode node, @Nullable DeviceState device) {
            return new NodeAt(node, device, device != null && device.calm());
        }

        private boolean isOf(RingNode otherNode, @Nullable DeviceState otherDevice) {
            return device == otherDevice && (node == otherNode || node.equals(otherNode));
        }
    }

    private final SortedMap<Integer, RingNode> nodes;
    private final SortedMap<String, DeviceState> told;
    /** Where each node sits. */
    private final Map<String, Integer> names;

    private final @Nullable NodeAt[] at;
    private final Marks marks;
    /** As long as the same devices sit on the ring, each as it was told of, it is the same object. */
    private final Object devices;

    /**
     * Positions of which something is to be told, so that a pass looks at these alone.
     *
     * @param vacant without a node that is alone there
     * @param troubled where Kubernetes, a person or the device says that something is wrong, or no device is told of
     * @param unfit where no new plan may put a member: cordoned, busy, or behind a driver that is away
     * @param busy of these, those where others' pods hold GPUs
     * @param cleared whose faults a person says are over
     */
    private record Marks(BitSet vacant, BitSet troubled, BitSet unfit, BitSet busy, BitSet cleared) {
        static Marks of(@Nullable NodeAt[] at) {
            Marks marks = new Marks(new BitSet(), new BitSet(), new BitSet(), new BitSet(), new BitSet());
            for (int position = 0; position < at.length; position++) {
                marks.set(position, at[position]);
            }
            return marks;
        }

        /** These for positions that go on from these. */
        Marks copy() {
            return new Marks(copy(vacant), copy(troubled), copy(unfit), copy(busy), copy(cleared));
        }

        private static BitSet copy(BitSet of) {
            return (BitSet) of.clone();
        }

        void set(int position, @Nullable NodeAt there) {
            DeviceState device = there == null ? null : there.device();
            vacant.set(position, there == null);
            troubled.set(
                    position,
                    there != null && (!there.calm() || !there.node().signals().isEmpty()));
            unfit.set(position, there != null && (!there.node().placeable() || device != null && device.away()));
            busy.set(position, there != null && there.node().busy());
            cleared.set(position, there != null && there.node().clearedAt().isPresent());
        }
    }

    private RingPositions(
            SortedMap<Integer, RingNode> nodes,
            SortedMap<String, DeviceState> told,
            Map<String, Integer> names,
            @Nullable NodeAt[] at,
            Marks marks,
            Object devices) {
        this.devices = devices;
        this.nodes = nodes;
        this.told = told;
        this.names = names;
        this.at = at;
        this.marks = marks;
    }

    /**
     * What is told of the same nodes is taken over but for what changed: a comparison of all by identity, or constant.
     * Else O(positions log devices).
     *
     * @param before those of the pass before
     */
    public static RingPositions of(RingIntent intent, DriverState driver, Optional<RingPositions> before) {
        return before.filter(known -> known.at.length == intent.ring().positions())
                .flatMap(known -> known.advanced(intent.nodes(), driver.devices()))
                .orElseGet(() -> anew(intent, driver.devices()));
    }

    /** Where changed ones are gathered. */
    private static final class Changed {
        private final RingPositions from;
        private @Nullable NodeAt @Nullable [] at;
        private final List<Integer> positions = new ArrayList<>();

        Changed(RingPositions from) {
            this.from = from;
        }

        @Nullable
        NodeAt at(int position) {
            return at == null ? from.at[position] : at[position];
        }

        void there(int position, RingNode node, @Nullable DeviceState device) {
            NodeAt last = at(position);
            if (last != null && last.isOf(node, device)) {
                return;
            }
            if (at == null) {
                at = from.at.clone();
            }
            at[position] = NodeAt.of(node, device);
            positions.add(position);
        }
    }

    /** These and what is told now; empty where a node came, went or moved. */
    private Optional<RingPositions> advanced(
            SortedMap<Integer, RingNode> nodesNow, SortedMap<String, DeviceState> toldNow) {
        if (nodes == nodesNow && told == toldNow) {
            return Optional.of(this);
        }
        boolean[] moved = new boolean[1];
        Changed changed = new Changed(this);
        FixedMap.changes(nodes, nodesNow, (position, was, is) -> {
            NodeAt there = changed.at(position);
            if (there == null || is == null || !is.name().equals(there.node().name())) {
                moved[0] = true;
            } else {
                changed.there(position, is, there.device());
            }
        });
        if (moved[0]) {
            return Optional.empty();
        }
        FixedMap.changes(told, toldNow, (name, was, is) -> {
            int position = positionOf(name);
            NodeAt there = position == NOWHERE ? null : changed.at(position);
            if (there != null) {
                changed.there(position, there.node(), is);
            }
        });
        @Nullable NodeAt[] nodesAt = changed.at;
        return Optional.of(
                nodesAt == null
                        ? new RingPositions(nodesNow, toldNow, names, at, marks, devices)
                        : with(nodesNow, toldNow, nodesAt, changed.positions));
    }

    private RingPositions with(
            SortedMap<Integer, RingNode> nodesNow,
            SortedMap<String, DeviceState> toldNow,
            @Nullable NodeAt[] nodesAt,
            List<Integer> positions) {
        Marks marked = marks.copy();
        boolean sameDevices = true;
        for (int position : positions) {
            NodeAt there = Objects.requireNonNull(nodesAt[position]);
            marked.set(position, there);
            NodeAt last = at[position];
            sameDevices &= last != null && last.device() == there.device();
        }
        return new RingPositions(nodesNow, toldNow, names, nodesAt, marked, sameDevices ? devices : new Object());
    }

    private static RingPositions anew(RingIntent intent, SortedMap<String, DeviceState> told) {
        Map<String, Integer> names = new HashMap<>();
        @Nullable NodeAt[] at = new NodeAt[intent.ring().positions()];
        intent.nodes().forEach((position, node) -> {
            DeviceState device = told.get(node.name());
            names.put(node.name(), position);
            at[position] = NodeAt.of(node, device);
        });
        return new RingPositions(
                intent.nodes(), told, Collections.unmodifiableMap(names), at, Marks.of(at), new Object());
    }

    /** Stands for what is told of all devices that sit on the ring: the same object while nothing of it changes. */
    public Object devices() {
        return devices;
    }

    /** Positions of which the driver tells other devices something else. O(positions), by identity. */
    public BitSet differing(RingPositions others) {
        BitSet differing = new BitSet();
        if (devices != others.devices) {
            for (int position = 0; position < at.length; position++) {
                NodeAt there = at[position];
                NodeAt other = others.at[position];
                if (there != other && (there == null || other == null || there.device() != other.device())) {
                    differing.set(position);
                }
            }
        }
        return differing;
    }

    /** One more than the last position. */
    public int size() {
        return at.length;
    }

    /** Null where there is no node, or several claim the position. */
    @Nullable
    public NodeAt at(int position) {
        return at[position];
    }

    public void forEach(Consumer<NodeAt> each) {
        for (NodeAt there : at) {
            if (there != null) {
                each.accept(there);
            }
        }
    }

    /** Positions without a node that is alone there; not to be changed. */
    public BitSet vacant() {
        return marks.vacant;
    }

    /**
     * Positions where Kubernetes, a person or the device says that something is wrong, or whose device is not told of;
     * not to be changed.
     */
    public BitSet troubled() {
        return marks.troubled;
    }

    /** Positions that take no new plan whatever light is there: cordoned, busy or away; not to be changed. */
    public BitSet unfit() {
        return marks.unfit;
    }

    /** Positions where others' pods hold GPUs; not to be changed. */
    public BitSet busy() {
        return marks.busy;
    }

    /** By node, the moment before when a person says its faults are over. Linear in these. */
    public SortedMap<String, Instant> clearances() {
        SortedMap<String, Instant> clearances = new TreeMap<>();
        marks.cleared.stream().forEach(position -> {
            RingNode node = Objects.requireNonNull(at[position]).node();
            node.clearedAt().ifPresent(moment -> clearances.put(node.name(), moment));
        });
        return clearances;
    }

    /** Where each node sits, by name; the same object as long as no node moves. */
    public Map<String, Integer> byName() {
        return names;
    }

    /** {@link #NOWHERE} for a node without a position of its own. */
    public int positionOf(String node) {
        return names.getOrDefault(node, NOWHERE);
    }

    /** Where the node of a member sits now, which may be elsewhere than when it was recorded. */
    public int positionOf(Allocation.Member member) {
        int position = member.position();
        NodeAt there = position >= 0 && position < at.length ? at[position] : null;
        return there != null && there.node().name().equals(member.node()) ? position : positionOf(member.node());
    }

    /** Whether the node of a member is still where it was recorded. */
    public boolean isHome(Allocation.Member member) {
        return positionOf(member) == member.position();
    }

    @Nullable
    public DeviceState device(String node) {
        return device(node, positionOf(node));
    }

    @Nullable
    public DeviceState device(Allocation.Member member) {
        return device(member.node(), positionOf(member));
    }

    private @Nullable DeviceState device(String node, int position) {
        NodeAt there = position == NOWHERE ? null : at[position];
        return there == null ? told.get(node) : there.device();
    }
}
