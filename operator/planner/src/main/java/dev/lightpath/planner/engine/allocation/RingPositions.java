package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
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

    private static final int MOST_SHOWN = 4096;
    private static final MemberLocation AT_HOME = new MemberLocation.AtHome();
    private static final MemberLocation GONE = new MemberLocation.Gone();

    /**
     * A node at its place.
     *
     * @param device what the driver tells of its transceivers
     * @param calm whether nothing of what is told of them looks wrong by itself ({@link DeviceState#calm})
     */
    public record Site(RingNode node, @Nullable DeviceState device, boolean calm) {
        private static Site of(RingNode node, @Nullable DeviceState device) {
            return new Site(node, device, device != null && device.calm());
        }

        private boolean isOf(RingNode otherNode, @Nullable DeviceState otherDevice) {
            return device == otherDevice && (node == otherNode || node.equals(otherNode));
        }
    }

    /**
     * Where names sit.
     *
     * @param positions by name
     * @param byName positions in order of names
     */
    private record Names(Map<String, Integer> positions, int[] byName) {
        static Names of(@Nullable RingNode[] seated) {
            Map<String, Integer> positions = HashMap.newHashMap(seated.length);
            for (int position = 0; position < seated.length; position++) {
                RingNode node = seated[position];
                if (node != null) {
                    positions.put(node.name(), position);
                }
            }
            int[] byName = positions.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .mapToInt(Map.Entry::getValue)
                    .toArray();
            return new Names(Collections.unmodifiableMap(positions), byName);
        }
    }

    private final SortedMap<Integer, RingNode> nodes;
    private final DriverState driver;
    private final Names names;
    private final @Nullable Site[] at;
    /**
     * What devices show or have shown, one object for equal circuits; at most {@link #MOST_SHOWN} but for those that
     * they show.
     */
    private final Map<CrossConnects, CrossConnects> shown;

    /** As long as the same devices sit on the ring, each as it was told of, it is the same object. */
    private final Object devices;

    private RingPositions(
            SortedMap<Integer, RingNode> nodes,
            DriverState driver,
            Names names,
            @Nullable Site[] at,
            Map<CrossConnects, CrossConnects> shown,
            Object devices) {
        this.devices = devices;
        this.nodes = nodes;
        this.driver = driver;
        this.names = names;
        this.at = at;
        this.shown = shown;
    }

    /**
     * Linear in positions and devices; sorts names where a node moved since the pass before.
     *
     * @param before those of the pass before
     */
    public static RingPositions of(RingIntent intent, DriverState driver, Optional<RingPositions> before) {
        @Nullable RingPositions known = before.orElse(null);
        @Nullable RingNode[] seated = seated(intent, known);
        Names names = known != null && sitAlike(seated, known.at) ? known.names : Names.of(seated);
        @Nullable Site[] at = new Site[seated.length];
        List<CrossConnects> news = new ArrayList<>();
        Iterator<Map.Entry<String, DeviceState>> devices =
                driver.devices().entrySet().iterator();
        Map.@Nullable Entry<String, DeviceState> device = devices.hasNext() ? devices.next() : null;
        for (int position : names.byName) {
            RingNode node = Objects.requireNonNull(seated[position]);
            int order = device == null ? 1 : compare(device.getKey(), node.name());
            while (order < 0) {
                device = devices.hasNext() ? devices.next() : null;
                order = device == null ? 1 : compare(device.getKey(), node.name());
            }
            DeviceState state = order == 0 && device != null ? device.getValue() : null;
            @Nullable Site last = known != null && position < known.at.length ? known.at[position] : null;
            if (last != null && last.isOf(node, state)) {
                at[position] = last;
                continue;
            }
            at[position] = Site.of(node, state);
            if (state != null) {
                news.add(state.circuits());
            }
        }
        Map<CrossConnects, CrossConnects> shown = known == null ? Map.of() : known.shown;
        Object devicesNow =
                known != null && names == known.names && showAlike(at, known.at) ? known.devices : new Object();
        return new RingPositions(intent.nodes(), driver, names, at, shown(shown, news, at), devicesNow);
    }

    private static boolean showAlike(@Nullable Site[] at, @Nullable Site[] before) {
        for (int position = 0; position < at.length; position++) {
            Site site = at[position];
            Site last = before[position];
            if (site != last && (site == null || last == null || site.device() != last.device())) {
                return false;
            }
        }
        return true;
    }

    /** Stands for what is told of all devices that sit on the ring: the same object while nothing of it changes. */
    public Object devices() {
        return devices;
    }

    /** The newest object counts: others like it will be the same. The map of the pass before is not changed. */
    @SuppressWarnings("ReferenceEquality")
    private static Map<CrossConnects, CrossConnects> shown(
            Map<CrossConnects, CrossConnects> before, List<CrossConnects> news, @Nullable Site[] at) {
        if (news.stream().allMatch(circuits -> before.get(circuits) == circuits)) {
            return before;
        }
        Map<CrossConnects, CrossConnects> shown = new HashMap<>();
        if (before.size() < MOST_SHOWN) {
            shown.putAll(before);
        } else {
            for (Site site : at) {
                if (site != null && site.device() != null) {
                    shown.putIfAbsent(site.device().circuits(), site.device().circuits());
                }
            }
        }
        news.forEach(circuits -> shown.put(circuits, circuits));
        return shown;
    }

    /** By position. */
    private static @Nullable RingNode[] seated(RingIntent intent, @Nullable RingPositions known) {
        @Nullable RingNode[] seated = new RingNode[intent.ring().positions()];
        if (known != null && known.nodes == intent.nodes() && known.at.length == seated.length) {
            for (int position = 0; position < seated.length; position++) {
                Site site = known.at[position];
                seated[position] = site == null ? null : site.node();
            }
        } else {
            intent.nodes().forEach((position, node) -> seated[position] = node);
        }
        return seated;
    }

    private static boolean sitAlike(@Nullable RingNode[] seated, @Nullable Site[] before) {
        if (seated.length != before.length) {
            return false;
        }
        for (int position = 0; position < seated.length; position++) {
            RingNode node = seated[position];
            Site site = before[position];
            if (!isSame(node, site == null ? null : site.node())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(@Nullable RingNode node, @Nullable RingNode before) {
        if (node == null || before == null) {
            return node == before;
        }
        return node == before || node.name().equals(before.name());
    }

    @SuppressWarnings("ReferenceEquality")
    private static int compare(String device, String node) {
        return device == node ? 0 : device.compareTo(node);
    }

    /** These circuits as devices show them, so that they are mostly equal by being the same. */
    public CrossConnects asShown(CrossConnects circuits) {
        return shown.getOrDefault(circuits, circuits);
    }

    /** One more than the last position. */
    public int size() {
        return at.length;
    }

    /** Null where there is no node, or several claim the position. */
    @Nullable
    public Site at(int position) {
        return at[position];
    }

    public void forEach(Consumer<Site> each) {
        for (Site site : at) {
            if (site != null) {
                each.accept(site);
            }
        }
    }

    /** Where each node sits, by name; the same object as long as no node moves. */
    public Map<String, Integer> positions() {
        return names.positions;
    }

    /** {@link #NOWHERE} for a node without a position of its own. */
    public int positionOf(String node) {
        return names.positions.getOrDefault(node, NOWHERE);
    }

    /** Where the node of a member sits now, which may be elsewhere than when it was recorded. */
    public int positionOf(Allocation.Member member) {
        int position = member.position();
        Site site = position >= 0 && position < at.length ? at[position] : null;
        return site != null && site.node().name().equals(member.node()) ? position : positionOf(member.node());
    }

    /** Whether the node of a member is still where it was recorded. */
    public MemberLocation locate(Allocation.Member member) {
        int position = positionOf(member);
        if (position == member.position()) {
            return AT_HOME;
        }
        return position == NOWHERE ? GONE : new MemberLocation.MovedTo(position);
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
        Site site = position == NOWHERE ? null : at[position];
        return site == null ? driver.devices().get(node) : site.device();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof RingPositions that && nodes.equals(that.nodes) && Arrays.equals(at, that.at);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(at);
    }
}
