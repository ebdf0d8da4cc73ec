package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Wire;
import dev.lightpath.planner.world.OcsTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What contradicts itself in the description of a fabric of switches, in one line each: who, what, what is allowed. */
public final class WiringCheck {
    private static final int MOST_NAMED = 8;

    private final OcsIntent intent;
    private final OcsWiring wiring;
    private final List<String> findings = new ArrayList<>();

    private WiringCheck(OcsWiring wiring) {
        this.wiring = wiring;
        this.intent = wiring.intent();
    }

    /** Linear in wires. Empty when nothing is wrong. */
    public static List<String> findings(OcsWiring wiring) {
        WiringCheck check = new WiringCheck(wiring);
        check.findings.addAll(check.intent.misread());
        check.pods();
        check.intent.switches().values().forEach(check::ports);
        check.devices();
        check.kinds();
        switch (check.intent.topology()) {
            case OcsTopology.Logical logical -> check.fibres();
            case OcsTopology.PolarFly polarFly -> check.polarFly(polarFly);
            case OcsTopology.TwistedTorus torus -> check.torus(torus);
        }
        return List.copyOf(check.findings);
    }

    private void pods() {
        Map<Integer, SortedSet<String>> byIndex = new TreeMap<>();
        intent.pods()
                .forEach(pod -> byIndex.computeIfAbsent(pod.index(), at -> new TreeSet<>())
                        .add(pod.name()));
        byIndex.forEach((index, names) -> {
            if (names.size() > 1) {
                findings.add("pods " + named(names) + " all have index " + index + ": each pod its own");
            }
        });
    }

    /** What a pod is said to have must be wired; spares may be wired beside. */
    private void fibres() {
        for (OcsPod pod : intent.pods()) {
            int regular = 0;
            int all = 0;
            for (OcsSwitch of : intent.switches().values()) {
                for (Wire wire : wiring.wires(of.name(), pod.name())) {
                    boolean spare = of.reserved().contains(wire.ingress())
                            || of.reserved().contains(wire.egress());
                    regular += spare ? 0 : 1;
                    all++;
                }
            }
            if (pod.ports() > 0 && (pod.ports() > all || pod.ports() < regular) && findings.size() < 64) {
                findings.add("pod " + pod.name() + " has " + pod.ports() + " ports, the switches of fabric "
                        + intent.name() + " are wired to " + all + " of it"
                        + (all > regular ? ", " + (all - regular) + " of them spare" : "")
                        + ": write as many as are wired");
            }
        }
    }

    private void ports(OcsSwitch of) {
        Map<String, Wire> ingress = new HashMap<>();
        Map<String, Wire> egress = of.kind() == DeviceKind.TWO_SIDED ? new HashMap<>() : ingress;
        SortedSet<String> strangers = new TreeSet<>();
        for (Wire wire : of.wiring()) {
            if (!wiring.pods().containsKey(wire.pod())) {
                strangers.add(wire.pod());
            }
            twice(of, ingress, wire.ingress(), wire);
            if (of.kind() == DeviceKind.TWO_SIDED) {
                twice(of, egress, wire.egress(), wire);
            }
        }
        if (!strangers.isEmpty()) {
            findings.add("switch " + of.name() + " is wired to " + named(strangers) + ": no such pods in fabric "
                    + intent.name());
        }
    }

    private void twice(OcsSwitch of, Map<String, Wire> seen, String port, Wire wire) {
        Wire other = seen.putIfAbsent(port, wire);
        if (other != null && findings.size() < 64) {
            findings.add("port " + port + " of switch " + of.name() + " is wired to pods " + other.pod() + " and "
                    + wire.pod() + ": one pod a port");
        }
    }

    private void devices() {
        Map<DeviceId, String> byDevice = new HashMap<>();
        Map<Integer, String> byPlane = new HashMap<>();
        for (OcsSwitch of : intent.switches().values()) {
            String twin = byDevice.putIfAbsent(of.device(), of.name());
            if (twin != null) {
                findings.add("switches " + twin + " and " + of.name() + " are both device " + of.device()
                        + ": one OpticalSwitch a device");
            }
            of.plane().ifPresent(plane -> {
                String other = byPlane.putIfAbsent(plane, of.name());
                if (other != null) {
                    findings.add("switches " + other + " and " + of.name() + " are both plane " + plane
                            + ": each switch its own");
                }
            });
        }
    }

    /** Two-sided and any-to-any switches carry different kinds of circuits: one fabric has one kind. */
    private void kinds() {
        SortedSet<String> twoSided = new TreeSet<>();
        SortedSet<String> anyToAny = new TreeSet<>();
        intent.switches()
                .values()
                .forEach(of -> (of.kind() == DeviceKind.TWO_SIDED ? twoSided : anyToAny).add(of.name()));
        if (!twoSided.isEmpty() && !anyToAny.isEmpty()) {
            findings.add("switches " + named(twoSided) + " have an egress side and " + named(anyToAny)
                    + " have none: all switches of a fabric are of one kind");
        }
    }

    private void polarFly(OcsTopology.PolarFly topology) {
        DeviceKind kind = intent.switches().isEmpty()
                ? DeviceKind.ANY_TO_ANY
                : intent.switches().values().iterator().next().kind();
        int planes;
        try {
            planes = PolarFlyLinks.planes(topology, kind).size();
        } catch (IllegalArgumentException e) {
            findings.add("polarFly: " + e.getMessage());
            return;
        }
        racks("polarFly of order " + topology.order(), PolarFlyLinks.racks(topology), true);
        planes(planes);
    }

    private void torus(OcsTopology.TwistedTorus torus) {
        racks("twistedTorus " + torus.cubes(), torus.cubes().volume(), false);
        planes(CubeArrangement.SWITCHES);
        SortedSet<String> oneSided = new TreeSet<>();
        intent.switches().values().forEach(of -> {
            if (of.kind() == DeviceKind.ANY_TO_ANY) {
                oneSided.add(of.name());
            }
        });
        if (!oneSided.isEmpty()) {
            findings.add("switches " + named(oneSided) + " have no egress side: a torus joins the plus face of a cube"
                    + " (ingress) to the minus face of the next (egress)");
        }
    }

    private void racks(String topology, int wanted, boolean exactly) {
        int present = intent.pods().size();
        if (present < wanted || (exactly && present > wanted)) {
            findings.add(topology + " has " + wanted + " pods" + (exactly ? "" : " or more") + ", spec.ocs.pods lists "
                    + present);
        }
    }

    private void planes(int wanted) {
        Map<Integer, OcsSwitch> byPlane = new HashMap<>();
        intent.switches().values().forEach(of -> of.plane().ifPresent(plane -> byPlane.putIfAbsent(plane, of)));
        SortedSet<Integer> missing = new TreeSet<>();
        for (int plane = 0; plane < wanted; plane++) {
            OcsSwitch of = byPlane.get(plane);
            if (of == null) {
                missing.add(plane);
                continue;
            }
            Set<String> unwired = new TreeSet<>(wiring.pods().keySet());
            of.wiring().forEach(wire -> unwired.remove(wire.pod()));
            if (!unwired.isEmpty()) {
                findings.add("switch " + of.name() + " (plane " + plane + ") has no port of pods " + named(unwired));
            }
        }
        if (!missing.isEmpty()) {
            findings.add("no OpticalSwitch of fabric " + intent.name() + " is plane " + named(missing)
                    + ": planes 0 to " + (wanted - 1) + " are needed");
        }
    }

    private static String named(Set<?> names) {
        List<String> some =
                names.stream().limit(MOST_NAMED).map(Object::toString).toList();
        return String.join(", ", some)
                + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
    }
}
