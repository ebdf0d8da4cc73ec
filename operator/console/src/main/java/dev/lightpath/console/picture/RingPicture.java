package dev.lightpath.console.picture;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.ForeignLight;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.report.DegradingLight;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.reading.RingIntentReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A ring or line of transceivers, position by position.
 *
 * <p>A bundle is one letter: {@code L} loops back, {@code 1} and {@code 2} lead light to the neighbour that
 * {@link #hops} names, {@code -} leads light nowhere.
 *
 * @param shape Ring or Line
 * @param hops by bundle, the positions that path 1 and path 2 pass; to the left below zero
 * @param readBack when the operator read the devices, RFC 3339; null where that is not known, and then nothing is
 *     observed
 * @param problem why the geometry cannot be drawn; then there are no seats
 * @param foreign circuits that no record explains
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RingPicture(
        String fabric,
        String shape,
        int positions,
        int reach,
        int gpusPerNode,
        boolean paused,
        List<List<Integer>> hops,
        @Nullable String readBack,
        @Nullable String problem,
        List<ShownCondition> conditions,
        List<FaultRecord> faults,
        List<String> foreign,
        List<Tenant> tenants,
        List<Seat> seats) {

    /**
     * A position.
     *
     * @param node null where no node is
     * @param claimed names of several nodes that claim the position
     * @param tenant index into the tenants; null while no record names the node
     * @param group of the tenant's job
     * @param rank of the node in its group
     * @param wanted bundles as the records ask for them; null when all loop back
     * @param observed bundles as read back; null when they are as wanted, or not read back
     * @param presence of the device where it is not present: silent, foreign or unknown
     * @param fault why the node counts as faulty
     * @param quarantined whether a person has to clear that fault
     * @param degrading how the light of its ports gets worse, one line each
     * @param cordoned whether it takes nothing new
     * @param releasing whether an earlier revision left light here that is not read back down yet
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Seat(
            int position,
            @Nullable String node,
            @Nullable List<String> claimed,
            @Nullable Integer tenant,
            @Nullable Integer group,
            @Nullable Integer rank,
            @Nullable String wanted,
            @Nullable String observed,
            @Nullable String presence,
            @Nullable String fault,
            @Nullable Boolean quarantined,
            @Nullable List<String> degrading,
            @Nullable Boolean cordoned,
            @Nullable Boolean releasing) {}

    private record Held(int tenant, int group, int rank) {}

    /** Empty when there is no such fabric of transceivers. Linear in positions, members and slices. */
    public static Optional<RingPicture> of(String name, Look look) {
        return look.fabric(name)
                .filter(fabric -> fabric.getSpec().ocsTrx() != null)
                .map(fabric -> of(fabric, look));
    }

    private static RingPicture of(OpticalFabric fabric, Look look) {
        String problem = null;
        RingIntent ring = null;
        try {
            ring = new RingIntentReader("").read(fabric, look.nodes(), Map.of()).orElseThrow();
        } catch (IllegalArgumentException impossible) {
            problem = impossible.getMessage();
        }
        String name = fabric.getMetadata().getName();
        ReadBack light = look.light().get(name);
        var status = fabric.getStatus();
        List<ShownCondition> conditions = status == null ? List.of() : ShownCondition.of(status.conditions());
        List<FaultRecord> faults = status == null ? List.of() : status.faults();
        List<String> foreign = ForeignLight.of(fabric, light).circuits();
        if (ring == null) {
            var spec = java.util.Objects.requireNonNull(fabric.getSpec().ocsTrx());
            return new RingPicture(
                    name,
                    switch (spec.shape()) {
                        case RING -> "Ring";
                        case LINE -> "Line";
                    },
                    spec.positions() == null ? 0 : spec.positions(),
                    spec.reach(),
                    spec.gpusPerNode(),
                    fabric.getSpec().paused(),
                    List.of(),
                    null,
                    String.valueOf(problem),
                    conditions,
                    faults,
                    foreign,
                    List.of(),
                    List.of());
        }
        List<Tenant.Holding> holdings = Tenant.on(name, look);
        RingFabric geometry = ring.ring();
        return new RingPicture(
                name,
                switch (geometry.shape()) {
                    case RING -> "Ring";
                    case LINE -> "Line";
                },
                geometry.positions(),
                geometry.reach(),
                geometry.gpusPerNode(),
                ring.paused(),
                hops(geometry.reach()),
                light == null ? null : light.at(),
                null,
                conditions,
                faults,
                foreign,
                holdings.stream().map(Tenant.Holding::tenant).toList(),
                seats(fabric, ring, holdings, light));
    }

    private static List<List<Integer>> hops(int reach) {
        PortMap ports = new PortMap(reach);
        List<List<Integer>> hops = new ArrayList<>();
        for (int bundle = 0; bundle < ports.bundles(); bundle++) {
            hops.add(List.of(
                    ports.hopOf(new BundlePath(bundle, BundleState.PATH_1)),
                    ports.hopOf(new BundlePath(bundle, BundleState.PATH_2))));
        }
        return hops;
    }

    private static List<Seat> seats(
            OpticalFabric fabric, RingIntent ring, List<Tenant.Holding> holdings, @Nullable ReadBack light) {
        int reach = ring.ring().reach();
        Map<Integer, Held> held = new HashMap<>();
        Set<String> releasing = new HashSet<>();
        List<List<Integer>> groups = new ArrayList<>();
        for (int tenant = 0; tenant < holdings.size(); tenant++) {
            var allocation = holdings.get(tenant).allocation();
            for (GroupAllocation group : allocation.groups()) {
                groups.add(group.positions());
                for (int rank = 0; rank < group.positions().size(); rank++) {
                    held.put(group.positions().get(rank), new Held(tenant, group.index(), rank));
                }
            }
            if (allocation.releasing() != null) {
                releasing.addAll(allocation.releasing().nodes());
            }
        }
        Map<String, String> faults = Fabrics.faults(fabric);
        Map<Integer, List<BundleState>> bundles = Fabrics.bundles(ring.ring(), groups);
        Set<String> quarantined = new HashSet<>();
        if (fabric.getStatus() != null) {
            fabric.getStatus().faults().stream()
                    .filter(fault -> Boolean.TRUE.equals(fault.quarantined()))
                    .forEach(fault -> quarantined.add(fault.subject().split("/", 3)[1]));
        }
        Map<String, List<String>> degrading = new HashMap<>();
        DegradingLight.ports(fabric)
                .forEach(port -> degrading
                        .computeIfAbsent(port.port().split("/", 2)[0], none -> new ArrayList<>())
                        .add(DegradingLight.told(port)));
        List<Seat> seats = new ArrayList<>();
        for (int position = 0; position < ring.ring().positions(); position++) {
            @Nullable RingNode node = ring.nodes().get(position);
            @Nullable Held by = held.get(position);
            ReadBack.@Nullable DeviceLight device =
                    light == null || node == null ? null : light.devices().get(node.name());
            String wanted = letters(bundles.get(position), reach);
            String observed = device == null ? wanted : observed(device.observed(), reach);
            seats.add(new Seat(
                    position,
                    node == null ? null : node.name(),
                    ring.miswired().get(position),
                    by == null ? null : by.tenant(),
                    by == null ? null : by.group(),
                    by == null ? null : by.rank(),
                    wanted.equals("L".repeat(reach)) ? null : wanted,
                    observed.equals(wanted) ? null : observed,
                    device == null || device.presence().equals("present") ? null : device.presence(),
                    node == null ? null : faults.get(node.name()),
                    node != null && quarantined.contains(node.name()) ? true : null,
                    node == null ? null : degrading.get(node.name()),
                    node != null && !node.schedulable() ? true : null,
                    node != null && releasing.contains(node.name()) ? true : null));
        }
        return seats;
    }

    private static String letters(@Nullable List<BundleState> states, int reach) {
        if (states == null) {
            return "L".repeat(reach);
        }
        StringBuilder letters = new StringBuilder();
        states.forEach(state -> letters.append(letter(state)));
        return letters.toString();
    }

    private static char letter(BundleState state) {
        return switch (state) {
            case LOOPBACK -> 'L';
            case PATH_1 -> '1';
            case PATH_2 -> '2';
        };
    }

    private static String observed(List<String> circuits, int reach) {
        char[] letters = new char[reach];
        Arrays.fill(letters, '-');
        for (String circuit : circuits) {
            int arrow = circuit.indexOf("->");
            if (arrow >= 0) {
                TransceiverPorts.path(circuit.substring(arrow + 2))
                        .filter(path -> path.bundle() < reach)
                        .ifPresent(path -> letters[path.bundle()] = letter(path.state()));
            }
        }
        return new String(letters);
    }
}
