package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Wire;
import dev.lightpath.planner.world.OcsTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Contradictions in the description of a fabric of switches, one line each: which object, what is wrong, what is
 * allowed.
 */
public final class WiringCheck {
    private static final int MOST_NAMED = 8;
    private static final int MOST_SWITCHES = 1024;

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
        List<String> misread = check.intent.misread();
        check.findings.addAll(misread.subList(0, Math.min(MOST_NAMED, misread.size())));
        if (misread.size() > MOST_NAMED) {
            check.findings.add("and " + (misread.size() - MOST_NAMED) + " more that cannot be read");
        }
        if (check.intent.switches().size() > MOST_SWITCHES) {
            check.findings.add("the fabric has %d switches: at most %d"
                    .formatted(check.intent.switches().size(), MOST_SWITCHES));
        }
        check.pods();
        check.ports();
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

    /** How many fibres of a pod there should be and are. */
    private record Fibres(int said, int wired, int spare) {}

    /**
     * A port that a pod is declared to have must be wired; spares may be wired in addition. While the wiring of a
     * switch is unknown, ports may lead there.
     */
    private void fibres() {
        boolean known = intent.switches().values().stream().allMatch(OcsSwitch::isWired);
        Map<Fibres, SortedSet<String>> alike = new LinkedHashMap<>();
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
            if (pod.ports() > 0 && (known && pod.ports() > all || pod.ports() < regular)) {
                alike.computeIfAbsent(new Fibres(pod.ports(), all, all - regular), fibres -> new TreeSet<>())
                        .add(pod.name());
            }
        }
        alike.forEach((fibres, pods) -> findings.add((pods.size() == 1 ? "pod " : "pods ") + named(pods)
                + (pods.size() == 1 ? " has " : " have ") + fibres.said() + " ports"
                + (pods.size() == 1 ? "" : " each") + ", the switches of fabric "
                + intent.name() + " are wired to " + fibres.wired() + " of " + (pods.size() == 1 ? "it" : "each")
                + (fibres.spare() > 0 ? ", " + fibres.spare() + " of them spare" : "")
                + ": write as many as are wired"));
    }

    private void ports() {
        Map<String, SortedSet<String>> alike = new LinkedHashMap<>();
        for (OcsSwitch of : intent.switches().values()) {
            ports(of)
                    .forEach(flaw -> alike.computeIfAbsent(flaw, ports -> new TreeSet<>())
                            .add(of.name()));
        }
        alike.forEach((flaw, switches) ->
                findings.add((switches.size() == 1 ? "switch " : "switches ") + named(switches) + ": " + flaw));
    }

    /** Errors in the ports of one switch, in the form of {@link #findings}. Linear in its wires. */
    public static List<String> ofSwitch(OcsWiring wiring, OcsSwitch of) {
        return new WiringCheck(wiring)
                .ports(of).stream()
                        .map(flaw -> "switch " + of.name() + ": " + flaw)
                        .toList();
    }

    private List<String> ports(OcsSwitch of) {
        List<String> flaws = new ArrayList<>();
        Map<String, List<String>> unknown = new TreeMap<>();
        for (Wire wire : of.wiring()) {
            if (!wiring.pods().containsKey(wire.pod())) {
                unknown.computeIfAbsent(wire.pod(), pod -> new ArrayList<>())
                        .add(wire.ingress() + (wire.egress().equals(wire.ingress()) ? "" : "-" + wire.egress()));
            }
        }
        unknown.entrySet().stream()
                .limit(MOST_NAMED)
                .map(stranger -> (stranger.getValue().size() == 1 ? "port " : "ports ")
                        + named(new LinkedHashSet<>(stranger.getValue()))
                        + (stranger.getValue().size() == 1 ? " is" : " are") + " wired to pod " + stranger.getKey()
                        + ", and fabric " + intent.name() + " has only "
                        + named(wiring.pods().keySet()))
                .forEach(flaws::add);
        if (unknown.size() > MOST_NAMED) {
            flaws.add("it is wired to " + (unknown.size() - MOST_NAMED) + " more pods that are not there");
        }
        Set<String> twice = twice(of);
        if (!twice.isEmpty()) {
            flaws.add(named(twice) + ": one pod a port");
        }
        return flaws;
    }

    /** Ports of a switch that two wires name. */
    private static Set<String> twice(OcsSwitch of) {
        Map<String, Wire> ingress = new HashMap<>();
        Map<String, Wire> egress = of.kind() == DeviceKind.TWO_SIDED ? new HashMap<>() : ingress;
        Set<String> twice = new LinkedHashSet<>();
        for (Wire wire : of.wiring()) {
            twice(ingress, wire.ingress(), wire).ifPresent(twice::add);
            if (of.kind() == DeviceKind.TWO_SIDED) {
                twice(egress, wire.egress(), wire).ifPresent(twice::add);
            }
        }
        return twice;
    }

    private static Optional<String> twice(Map<String, Wire> seen, String port, Wire wire) {
        return Optional.ofNullable(seen.putIfAbsent(port, wire))
                .map(other -> "port " + port + " is wired to pods " + other.pod() + " and " + wire.pod());
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
        intent.switches().values().stream()
                .filter(OcsSwitch::isWired)
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
        Map<String, List<OcsSwitch>> lacking = new LinkedHashMap<>();
        for (int plane = 0; plane < wanted; plane++) {
            OcsSwitch of = byPlane.get(plane);
            if (of == null) {
                missing.add(plane);
                continue;
            }
            Set<String> unwired = new TreeSet<>(wiring.pods().keySet());
            of.wiring().forEach(wire -> unwired.remove(wire.pod()));
            if (!unwired.isEmpty()) {
                lacking.computeIfAbsent(named(unwired), pods -> new ArrayList<>())
                        .add(of);
            }
        }
        lacking.forEach((pods, switches) -> findings.add(
                switches.size() == 1
                        ? "switch " + switches.getFirst().name() + " (plane "
                                + switches.getFirst().plane().orElseThrow() + ") has no port of pods " + pods
                        : "switches "
                                + named(new LinkedHashSet<>(
                                        switches.stream().map(OcsSwitch::name).toList()))
                                + " have no port of pods " + pods));
        if (!missing.isEmpty()) {
            findings.add("no OpticalSwitch of fabric " + intent.name() + " is plane " + named(missing)
                    + ": planes 0 to " + (wanted - 1) + " are needed");
        }
    }

    private static String named(Set<?> names) {
        return Words.first(MOST_NAMED, names);
    }
}
