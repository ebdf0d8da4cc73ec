package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Wire;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which port of which pod ends where, looked up both ways. */
public final class OcsWiring {
    private final OcsIntent intent;
    private final Map<String, Map<String, List<Wire>>> wires = new HashMap<>();
    private final Map<String, Map<String, String>> podOfIngress = new HashMap<>();
    private final Map<String, Map<String, String>> podOfEgress = new HashMap<>();
    private final Map<String, DeviceKind> kinds = new HashMap<>();
    private final Map<String, OcsPod> pods = new LinkedHashMap<>();
    private final Map<Integer, OcsPod> byIndex = new HashMap<>();

    private OcsWiring(OcsIntent intent) {
        this.intent = intent;
    }

    /** Linear in wires. Of two wires on one port the first counts; {@link WiringCheck} names them. */
    public static OcsWiring of(OcsIntent intent) {
        OcsWiring wiring = new OcsWiring(intent);
        intent.pods().forEach(pod -> {
            wiring.pods.putIfAbsent(pod.name(), pod);
            wiring.byIndex.putIfAbsent(pod.index(), pod);
        });
        for (OcsSwitch of : intent.switches().values()) {
            Map<String, List<Wire>> byPod = new HashMap<>();
            Map<String, String> ingress = new HashMap<>();
            Map<String, String> egress = new HashMap<>();
            for (Wire wire : of.wiring()) {
                byPod.computeIfAbsent(wire.pod(), pod -> new ArrayList<>()).add(wire);
                ingress.putIfAbsent(wire.ingress(), wire.pod());
                egress.putIfAbsent(wire.egress(), wire.pod());
            }
            byPod.values().forEach(list -> list.sort(Comparator.comparingInt(Wire::index)));
            wiring.kinds.put(of.name(), of.kind());
            wiring.wires.put(of.name(), byPod);
            wiring.podOfIngress.put(of.name(), ingress);
            wiring.podOfEgress.put(of.name(), egress);
        }
        return wiring;
    }

    public OcsIntent intent() {
        return intent;
    }

    /** By name, in the order of the fabric. */
    public Map<String, OcsPod> pods() {
        return pods;
    }

    /** The pod by which members of a record sit; empty where it is described no more. */
    public Optional<OcsPod> podAt(int index) {
        return Optional.ofNullable(byIndex.get(index));
    }

    /** The ports of a pod on a switch, in the pod's order. */
    public List<Wire> wires(String opticalSwitch, String pod) {
        return wires.getOrDefault(opticalSwitch, Map.of()).getOrDefault(pod, List.of());
    }

    public DeviceKind kind(String opticalSwitch) {
        return kinds.getOrDefault(opticalSwitch, DeviceKind.ANY_TO_ANY);
    }

    /**
     * The pods that a circuit joins.
     *
     * @param from whose light enters
     */
    public record Ends(String from, String to) {
        /** Names that differ in their last digits alone would often have the same sum. */
        @Override
        public int hashCode() {
            return from.hashCode() * 0x9E3779B1 + to.hashCode();
        }

        /** As any-to-any devices see it: no direction. */
        public Ends undirected() {
            return from.compareTo(to) <= 0 ? this : turned();
        }

        private Ends turned() {
            return new Ends(to, from);
        }
    }

    /**
     * What two circuits have in common that are as good as each other: their pods, on any-to-any devices in no order.
     */
    public Ends joined(String opticalSwitch, Ends ends) {
        return kind(opticalSwitch) == DeviceKind.ANY_TO_ANY ? ends.undirected() : ends;
    }

    /** The same of a circuit; empty when an end is wired to no pod. */
    public Optional<Ends> joined(String opticalSwitch, Circuit circuit) {
        return ends(opticalSwitch, circuit).map(ends -> joined(opticalSwitch, ends));
    }

    /** Empty when an end is wired to no pod. */
    public Optional<Ends> ends(String opticalSwitch, Circuit circuit) {
        String from = podOfIngress.getOrDefault(opticalSwitch, Map.of()).get(circuit.ingress());
        String to = podOfEgress.getOrDefault(opticalSwitch, Map.of()).get(circuit.egress());
        return from == null || to == null ? Optional.empty() : Optional.of(new Ends(from, to));
    }

    /**
     * One way of light through a circuit.
     *
     * @param in port where it enters the switch
     */
    public record Way(Ends ends, String in, String out) {}

    /** The ways of a circuit: both on any-to-any devices, else one. None when an end is wired to no pod. */
    public List<Way> ways(String opticalSwitch, Circuit circuit) {
        Ends there = ends(opticalSwitch, circuit).orElse(null);
        if (there == null) {
            return List.of();
        }
        Way way = new Way(there, circuit.ingress(), circuit.egress());
        return kind(opticalSwitch) == DeviceKind.ANY_TO_ANY
                ? List.of(way, new Way(there.turned(), circuit.egress(), circuit.ingress()))
                : List.of(way);
    }

    /** Whether a circuit may lead from one pod to another, as far as its wiring is written down. */
    public boolean mayJoin(String opticalSwitch, Circuit circuit, Ends ends) {
        List<Way> ways = ways(opticalSwitch, circuit);
        return ways.isEmpty() || ways.stream().anyMatch(way -> way.ends().equals(ends));
    }

    /** What a circuit takes of its switch. */
    public List<PortUse> uses(String opticalSwitch, Circuit circuit) {
        return PortUse.of(opticalSwitch, kind(opticalSwitch), circuit);
    }

    /** The same of some light. */
    public Set<PortUse> uses(SwitchedLight light) {
        Set<PortUse> uses = new HashSet<>();
        light.forEach((name, circuit) -> uses.addAll(uses(name, circuit)));
        return uses;
    }

    /** The pods whose light goes through a port: on any-to-any devices either way. None where it is wired to none. */
    public Set<String> podsAt(PortUse port) {
        Set<String> at = new HashSet<>();
        if (port.side() != PortUse.Side.EGRESS) {
            at.add(podOfIngress.getOrDefault(port.opticalSwitch(), Map.of()).get(port.port()));
        }
        if (port.side() != PortUse.Side.INGRESS) {
            at.add(podOfEgress.getOrDefault(port.opticalSwitch(), Map.of()).get(port.port()));
        }
        at.remove(null);
        return at;
    }

    /** The same of all ports of some light. Linear in circuits. */
    public Set<String> podsAt(SwitchedLight light) {
        Set<String> at = new HashSet<>();
        light.forEach((name, circuit) -> uses(name, circuit).forEach(port -> at.addAll(podsAt(port))));
        return at;
    }

    /** The circuit as this planner writes it: on any-to-any devices the lower port first, numbers by value. */
    public Circuit canonical(String opticalSwitch, Circuit circuit) {
        boolean turned =
                kind(opticalSwitch) == DeviceKind.ANY_TO_ANY && comparePorts(circuit.ingress(), circuit.egress()) > 0;
        return turned ? circuit.turned() : circuit;
    }

    private static int comparePorts(String a, String b) {
        boolean numbers = a.matches("[0-9]{1,9}") && b.matches("[0-9]{1,9}");
        return numbers ? Integer.compare(Integer.parseInt(a), Integer.parseInt(b)) : a.compareTo(b);
    }
}
