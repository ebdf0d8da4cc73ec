package dev.lightpath.planner.ocs;

import dev.lightpath.planner.polarfly.Expansion;
import dev.lightpath.planner.polarfly.PolarFly;
import dev.lightpath.planner.polarfly.SwitchPlanes;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The edges of a PolarFly between real racks: vertex v is the v-th rack in the order of the fabric, plane k the switch
 * of that number. Copies follow the racks of the first build and move none of their circuits.
 */
public final class PolarFlyLinks {
    private PolarFlyLinks() {}

    /** Racks of a topology. */
    public static int racks(OcsTopology.PolarFly topology) {
        int order = topology.order();
        int racks = order * order + order + 1;
        for (Expansion.Method copy : topology.copies()) {
            racks += copy == Expansion.Method.QUADRIC ? order + 1 : order;
        }
        return racks;
    }

    /**
     * Circuits of each plane as pairs of vertices. O(edges + order^3).
     *
     * @throws IllegalArgumentException if there is no such PolarFly, saying what is allowed
     */
    public static List<List<int[]>> planes(OcsTopology.PolarFly topology, DeviceKind kind) {
        PolarFly polarFly = new PolarFly(topology.order());
        List<List<int[]>> planes = SwitchPlanes.full(polarFly, kind);
        if (topology.copies().isEmpty()) {
            return planes;
        }
        Expansion.Method method = topology.copies().getFirst();
        if (topology.copies().stream().anyMatch(copy -> copy != method)) {
            throw new IllegalArgumentException(
                    "polarFly.copies has quadric and non-quadric ones: copies of one kind only can be wired");
        }
        return SwitchPlanes.grow(
                planes, Expansion.of(polarFly, method, topology.copies().size()), kind);
    }

    /** The links of all planes that have a switch, in order. */
    public static List<Link> of(OcsWiring wiring, OcsTopology.PolarFly topology) {
        List<String> racks = wiring.intent().pods().stream().map(OcsPod::name).toList();
        Map<Integer, String> switches = new HashMap<>();
        DeviceKind kind = DeviceKind.ANY_TO_ANY;
        for (OcsSwitch of : wiring.intent().switches().values()) {
            of.plane().ifPresent(plane -> switches.putIfAbsent(plane, of.name()));
            kind = of.kind();
        }
        List<List<int[]>> planes = planes(topology, kind);
        List<Link> links = new ArrayList<>();
        for (int plane = 0; plane < planes.size(); plane++) {
            String via = switches.get(plane);
            if (via != null) {
                planes.get(plane).forEach(pair -> links.add(new Link(racks.get(pair[0]), racks.get(pair[1]), via)));
            }
        }
        return links;
    }
}
