package dev.lightpath.console.picture;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.ForeignLight;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.report.DegradingLight;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.report.PodPair;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.reading.OcsIntentReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A fabric of optical switches: switches times pods.
 *
 * @param topology Logical, TwistedTorus or PolarFly
 * @param cubes along x, y and z, on a torus only; the cube of index i is at (i / (Y*Z), i / Z mod Y, i mod Z)
 * @param readBack when the operator read the switches, RFC 3339; null where that is not known
 * @param problem why the description cannot be drawn; then there are no pods
 * @param degrading ports whose light gets worse, one line each
 * @param foreign circuits that no record explains
 * @param cells in the order of switches and pods; a pair without a wire has none
 * @param links circuits between pods, by tenant
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SpinePicture(
        String fabric,
        String topology,
        @Nullable List<Integer> cubes,
        boolean paused,
        @Nullable String readBack,
        @Nullable String problem,
        List<ShownCondition> conditions,
        List<FaultRecord> faults,
        List<String> degrading,
        List<String> foreign,
        List<Tenant> tenants,
        List<Pod> pods,
        List<Switch> switches,
        List<Cell> cells,
        List<Link> links) {

    /**
     * @param tenants whose record names the pod, indices
     * @param faults of its nodes, one line each
     */
    public record Pod(
            String name,
            int index,
            int ports,
            int gpus,
            int nodes,
            boolean placeable,
            Set<Integer> tenants,
            List<String> faults) {}

    /**
     * @param recorded circuits that records ask for here
     * @param missing of them, not read back; null where the switch was not read back
     * @param presence of the device where it is not present: silent, foreign or unknown
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Switch(
            String name,
            @Nullable Integer plane,
            boolean drained,
            ShownCondition ready,
            int recorded,
            @Nullable Integer missing,
            @Nullable String presence,
            @Nullable String fault) {}

    /**
     * @param opticalSwitch index of the switch
     * @param pod index in the list of pods
     * @param ports of the pod on the switch
     * @param used of them, by recorded circuits
     * @param faulty of them
     */
    public record Cell(int opticalSwitch, int pod, int ports, int used, int faulty) {}

    /**
     * @param there circuits from the first pod to the second
     * @param back circuits the other way; of any-to-any switches the same ones
     */
    public record Link(String from, String to, int there, int back, int tenant) {}

    /** Empty when there is no such fabric of optical switches. Linear in wires, circuits and nodes. */
    public static Optional<SpinePicture> of(String name, Look look) {
        return look.fabric(name)
                .filter(fabric -> fabric.getSpec().ocs() != null)
                .map(fabric -> of(fabric, look));
    }

    private static SpinePicture of(OpticalFabric fabric, Look look) {
        String name = fabric.getMetadata().getName();
        var status = fabric.getStatus();
        ReadBack light = look.light().get(name);
        List<ShownCondition> conditions = status == null ? List.of() : ShownCondition.of(status.conditions());
        List<FaultRecord> faults = status == null ? List.of() : status.faults();
        List<String> foreign = ForeignLight.of(fabric, light).circuits();
        List<String> degrading =
                DegradingLight.ports(fabric).stream().map(DegradingLight::told).toList();
        String at = light == null ? null : light.at();
        boolean paused = fabric.getSpec().paused();
        OcsIntent intent;
        try {
            intent = new OcsIntentReader("")
                    .read(fabric, look.switches(), look.nodes())
                    .orElseThrow();
        } catch (IllegalArgumentException impossible) {
            String problem = String.valueOf(impossible.getMessage());
            return new SpinePicture(
                    name,
                    "Logical",
                    null,
                    paused,
                    at,
                    problem,
                    conditions,
                    faults,
                    degrading,
                    foreign,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of());
        }
        List<Tenant.Holding> holdings = Tenant.on(name, look);
        Map<String, String> broken = Fabrics.faults(fabric);
        return new SpinePicture(
                name,
                topology(intent),
                cubes(intent),
                paused,
                at,
                null,
                conditions,
                faults,
                degrading,
                foreign,
                holdings.stream().map(Tenant.Holding::tenant).toList(),
                pods(intent, holdings, broken),
                switches(intent, holdings, broken, light, look),
                cells(intent, holdings, faults),
                links(OcsWiring.of(intent), holdings));
    }

    private static String topology(OcsIntent intent) {
        return switch (intent.topology()) {
            case OcsTopology.Logical logical -> "Logical";
            case OcsTopology.TwistedTorus torus -> "TwistedTorus";
            case OcsTopology.PolarFly polarFly -> "PolarFly";
        };
    }

    private static @Nullable List<Integer> cubes(OcsIntent intent) {
        return intent.topology() instanceof OcsTopology.TwistedTorus torus
                ? List.of(torus.cubes().x(), torus.cubes().y(), torus.cubes().z())
                : null;
    }

    private static List<Pod> pods(OcsIntent intent, List<Tenant.Holding> holdings, Map<String, String> broken) {
        Map<Integer, Set<Integer>> tenants = new LinkedHashMap<>();
        for (int tenant = 0; tenant < holdings.size(); tenant++) {
            int number = tenant;
            holdings.get(tenant)
                    .allocation()
                    .groups()
                    .forEach(group -> group.positions()
                            .forEach(pod -> tenants.computeIfAbsent(pod, none -> new TreeSet<>())
                                    .add(number)));
        }
        List<Pod> pods = new ArrayList<>();
        for (OcsPod pod : intent.pods()) {
            List<String> faults = new ArrayList<>();
            pod.nodes().keySet().stream()
                    .filter(broken::containsKey)
                    .forEach(node -> faults.add(node + ": " + broken.get(node)));
            pods.add(new Pod(
                    pod.name(),
                    pod.index(),
                    pod.ports(),
                    pod.gpus(),
                    pod.nodes().size(),
                    pod.placeable(),
                    tenants.getOrDefault(pod.index(), Set.of()),
                    faults));
        }
        return pods;
    }

    private static List<Switch> switches(
            OcsIntent intent,
            List<Tenant.Holding> holdings,
            Map<String, String> broken,
            @Nullable ReadBack light,
            Look look) {
        Map<String, List<String>> recorded = new HashMap<>();
        holdings.forEach(holding -> holding.allocation()
                .circuits()
                .forEach(of -> recorded.computeIfAbsent(of.opticalSwitch(), none -> new ArrayList<>())
                        .addAll(of.circuits())));
        List<Switch> switches = new ArrayList<>();
        for (OcsSwitch of : intent.switches().values()) {
            ReadBack.@Nullable DeviceLight device =
                    light == null ? null : light.devices().get(of.name());
            List<String> circuits = recorded.getOrDefault(of.name(), List.of());
            List<ShownCondition> conditions = look.opticalSwitch(of.name())
                    .map(OpticalSwitch::getStatus)
                    .map(status -> ShownCondition.of(status.conditions()))
                    .orElse(List.of());
            switches.add(new Switch(
                    of.name(),
                    of.plane().isPresent() ? of.plane().getAsInt() : null,
                    of.drained(),
                    ShownCondition.find(conditions, ConditionType.READY),
                    circuits.size(),
                    device == null ? null : missing(of, circuits, device),
                    device == null || device.presence().equals("present") ? null : device.presence(),
                    broken.get(of.name())));
        }
        return switches;
    }

    /** How many recorded circuits, as INGRESS-EGRESS, the switch does not show. */
    private static int missing(OcsSwitch of, List<String> circuits, ReadBack.DeviceLight device) {
        Map<String, String> lit = SwitchPicture.lit(of, device);
        return (int) circuits.stream()
                .map(circuit -> circuit.split("-", 2))
                .filter(ports -> ports.length == 2 && !ports[1].equals(lit.get(ports[0])))
                .count();
    }

    private static List<Cell> cells(OcsIntent intent, List<Tenant.Holding> holdings, List<FaultRecord> faults) {
        Map<String, Set<String>> used = new LinkedHashMap<>();
        holdings.forEach(holding -> holding.allocation()
                .circuits()
                .forEach(of -> of.circuits()
                        .forEach(circuit -> used.computeIfAbsent(of.opticalSwitch(), none -> new HashSet<>())
                                .addAll(List.of(circuit.split("-", 2))))));
        Set<String> broken = new HashSet<>();
        faults.forEach(fault -> broken.add(fault.subject()));
        Map<String, Integer> order = new LinkedHashMap<>();
        intent.pods().forEach(pod -> order.put(pod.name(), order.size()));
        List<Cell> cells = new ArrayList<>();
        int index = 0;
        for (OcsSwitch of : intent.switches().values()) {
            Map<Integer, int[]> counts = new LinkedHashMap<>();
            Set<String> busy = used.getOrDefault(of.name(), Set.of());
            boolean dead = broken.contains("device/" + of.name());
            for (OcsSwitch.Wire wire : of.wiring()) {
                Integer pod = order.get(wire.pod());
                if (pod != null) {
                    int[] count = counts.computeIfAbsent(pod, none -> new int[3]);
                    count[0]++;
                    count[1] += busy.contains(wire.ingress()) || busy.contains(wire.egress()) ? 1 : 0;
                    count[2] += dead
                                    || broken.contains("port/" + of.name() + "/" + wire.ingress())
                                    || broken.contains("port/" + of.name() + "/" + wire.egress())
                            ? 1
                            : 0;
                }
            }
            int number = index++;
            counts.forEach((pod, count) -> cells.add(new Cell(number, pod, count[0], count[1], count[2])));
        }
        return cells;
    }

    private static List<Link> links(OcsWiring wiring, List<Tenant.Holding> holdings) {
        List<Link> links = new ArrayList<>();
        for (int tenant = 0; tenant < holdings.size(); tenant++) {
            List<SwitchCircuits> circuits = holdings.get(tenant).allocation().circuits();
            for (PodPair pair : PodPair.of(wiring, circuits)) {
                links.add(new Link(pair.from(), pair.to(), pair.there(), pair.back(), tenant));
            }
        }
        return links;
    }
}
