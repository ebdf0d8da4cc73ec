package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.stripe.LogicalTopology;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.stripe.StripingRequest;
import dev.lightpath.planner.stripe.SwitchCircuits;
import dev.lightpath.planner.stripe.SwitchPort;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds room for links by moving others with the {@link Striper}: any wiring is a uniform striping with holes. Its
 * answer is taken only if more links get a place, so that no circuit moves without a gain. A fabric with more ports
 * than the striper takes stays as it is. The request has only the pods of these links, so that changes elsewhere do not
 * miss the cache ({@link Memo}).
 */
final class Restriping {
    /** Some ten milliseconds: it is searched in every pass while links are missing. */
    static final long STEPS = 20_000;

    private final OcsWiring wiring;
    private final OcsHealth health;
    private final Predicate<PortUse> taken;
    private final List<String> pods;
    private final Map<String, Integer> podIndex = new HashMap<>();
    private final List<OcsSwitch> open;
    private final int portsPerPod;
    private final long steps;
    private final Memo<Striping, Striper.Partial> stripings;

    private Restriping(
            OcsWiring wiring,
            OcsHealth health,
            Predicate<PortUse> taken,
            List<Link> links,
            long steps,
            Memo<Striping, Striper.Partial> stripings) {
        this.steps = steps;
        this.stripings = stripings;
        this.wiring = wiring;
        this.health = health;
        this.taken = taken;
        Set<String> named = new HashSet<>();
        links.forEach(link -> {
            named.add(link.from());
            named.add(link.to());
        });
        this.pods = wiring.pods().keySet().stream().filter(named::contains).toList();
        for (int pod = 0; pod < pods.size(); pod++) {
            podIndex.put(pods.get(pod), pod);
        }
        this.open = wiring.intent().switches().values().stream()
                .filter(health::open)
                .toList();
        this.portsPerPod = open.stream()
                .flatMap(of ->
                        pods.stream().map(pod -> wiring.wires(of.name(), pod).size()))
                .max(Integer::compare)
                .orElse(0);
    }

    /** @param lit circuits that are recorded: only these count as moved */
    static LinkPlan.Outcome improve(
            OcsWiring wiring,
            OcsHealth health,
            Predicate<PortUse> taken,
            List<Link> links,
            Map<Integer, SwitchCircuit> places,
            SwitchedLight lit,
            LinkPlan.Outcome before,
            long steps,
            Memo<Striping, Striper.Partial> stripings) {
        Restriping restriping = new Restriping(wiring, health, taken, links, steps, stripings);
        if (!restriping.stripes()) {
            return before;
        }
        Set<PortUse> kept = new HashSet<>();
        places.values().stream()
                .filter(place -> lit.on(place.opticalSwitch()).contains(place.circuit()))
                .forEach(place -> kept.addAll(wiring.uses(place.opticalSwitch(), place.circuit())));
        Predicate<PortUse> used = taken.or(kept::contains);
        List<Link> hopeful = before.missing().stream()
                .filter(link ->
                        restriping.hasRoom(used, link.from(), true) && restriping.hasRoom(used, link.to(), false))
                .toList();
        if (hopeful.isEmpty()) {
            return before;
        }
        LinkPlan.Outcome after = restriping.run(links, places, lit, hopeful);
        return after.missing().size() < before.missing().size() && !restriping.givesUp(links, places, lit, after)
                ? after
                : before;
    }

    /** Whether there is anything to stripe, and the striper takes as much. */
    private boolean stripes() {
        return !open.isEmpty() && portsPerPod > 0 && StripingRequest.fits(open.size(), pods.size(), portsPerPod);
    }

    /** Whether more links of two pods are missing than had no light: a working link is not given up for others. */
    private boolean givesUp(
            List<Link> links, Map<Integer, SwitchCircuit> places, SwitchedLight lit, LinkPlan.Outcome after) {
        Map<OcsWiring.Ends, Integer> mayMiss = new HashMap<>();
        for (int link = 0; link < links.size(); link++) {
            SwitchCircuit place = places.get(link);
            if (place == null || !lit.on(place.opticalSwitch()).contains(place.circuit())) {
                mayMiss.merge(ends(links.get(link)), 1, Integer::sum);
            }
        }
        return after.missing().stream().anyMatch(link -> mayMiss.merge(ends(link), -1, Integer::sum) < 0);
    }

    private OcsWiring.Ends ends(Link link) {
        OcsWiring.Ends ends = new OcsWiring.Ends(link.from(), link.to());
        return open.getFirst().kind() == DeviceKind.ANY_TO_ANY ? ends.undirected() : ends;
    }

    /** Whether a pod has any port left. Without one at each end moving others cannot help a link. */
    private boolean hasRoom(Predicate<PortUse> used, String pod, boolean ingress) {
        return open.stream()
                .anyMatch(of -> wiring.wires(of.name(), pod).stream()
                        .anyMatch(wire -> ingress ? health.enters(of, wire, used) : health.leaves(of, wire, used)));
    }

    private LinkPlan.Outcome run(
            List<Link> links, Map<Integer, SwitchCircuit> places, SwitchedLight lit, List<Link> hopeful) {
        DeviceKind kind = open.getFirst().kind();
        List<Link> hopeless = new ArrayList<>();
        int[][] counts = new int[pods.size()][pods.size()];
        SwitchedLight.Builder outside = new SwitchedLight.Builder();
        Map<Integer, List<dev.lightpath.planner.stripe.Circuit>> previous = new HashMap<>();
        List<Link> striped = new ArrayList<>();
        for (int link = 0; link < links.size(); link++) {
            SwitchCircuit place = places.get(link);
            int on = place == null ? -1 : indexOf(place.opticalSwitch());
            if (place != null && on < 0) {
                outside.add(place.opticalSwitch(), place.circuit());
                continue;
            }
            if (place == null && !hopeful.contains(links.get(link))) {
                hopeless.add(links.get(link));
                continue;
            }
            int from = podIndex.getOrDefault(links.get(link).from(), -1);
            int to = podIndex.getOrDefault(links.get(link).to(), -1);
            counts[from][to]++;
            if (kind == DeviceKind.ANY_TO_ANY) {
                counts[to][from]++;
            }
            striped.add(links.get(link));
            // a place that was only thought of in this pass moves for nothing
            if (place != null && lit.on(place.opticalSwitch()).contains(place.circuit())) {
                previous.computeIfAbsent(on, at -> new ArrayList<>()).add(numbered(open.get(on), place.circuit()));
            }
        }
        StripingRequest request = new StripingRequest(
                open.size(),
                portsPerPod,
                kind,
                LogicalTopology.of(counts),
                previous.entrySet().stream()
                        .map(entry -> new SwitchCircuits(entry.getKey(), entry.getValue()))
                        .toList(),
                holes());
        Striping striping = new Striping(request, steps);
        Striper.Partial partial = stripings.of(striping, striping::most);
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        for (SwitchCircuits of : partial.striped().switches()) {
            OcsSwitch on = open.get(of.switchIndex());
            of.circuits().forEach(circuit -> light.add(on.name(), named(on, circuit)));
        }
        hopeless.addAll(missing(striped, kind, partial.missing()));
        return new LinkPlan.Outcome(light.build().and(outside.build()), hopeless);
    }

    private int indexOf(String name) {
        for (int index = 0; index < open.size(); index++) {
            if (open.get(index).name().equals(name)) {
                return index;
            }
        }
        return -1;
    }

    private List<Link> missing(List<Link> links, DeviceKind kind, List<dev.lightpath.planner.stripe.Circuit> unplaced) {
        List<Link> left = new ArrayList<>(links);
        List<Link> missing = new ArrayList<>();
        for (dev.lightpath.planner.stripe.Circuit pair : unplaced) {
            String from = pods.get(pair.from());
            String to = pods.get(pair.to());
            left.stream()
                    .filter(link -> (link.from().equals(from) && link.to().equals(to))
                            || (kind == DeviceKind.ANY_TO_ANY
                                    && link.from().equals(to)
                                    && link.to().equals(from)))
                    .findFirst()
                    .ifPresent(link -> {
                        left.remove(link);
                        missing.add(link);
                    });
        }
        return missing;
    }

    private SortedSet<SwitchPort> holes() {
        SortedSet<SwitchPort> holes = new TreeSet<>();
        for (int on = 0; on < open.size(); on++) {
            OcsSwitch of = open.get(on);
            for (int pod = 0; pod < pods.size(); pod++) {
                List<Wire> wires = wiring.wires(of.name(), pods.get(pod));
                for (int index = 0; index < portsPerPod; index++) {
                    int port = pod * portsPerPod + index;
                    if (index >= wires.size()) {
                        holes.add(new SwitchPort(on, port, SwitchPort.Side.BOTH));
                        continue;
                    }
                    Wire wire = wires.get(index);
                    if (!health.enters(of, wire, taken)) {
                        holes.add(new SwitchPort(on, port, side(of, SwitchPort.Side.INGRESS)));
                    }
                    if (!health.leaves(of, wire, taken)) {
                        holes.add(new SwitchPort(on, port, side(of, SwitchPort.Side.EGRESS)));
                    }
                }
            }
        }
        return holes;
    }

    private static SwitchPort.Side side(OcsSwitch of, SwitchPort.Side side) {
        return of.kind() == DeviceKind.TWO_SIDED ? side : SwitchPort.Side.BOTH;
    }

    private dev.lightpath.planner.stripe.Circuit numbered(OcsSwitch of, Circuit circuit) {
        OcsWiring.Ends ends = wiring.ends(of.name(), circuit).orElseThrow();
        return new dev.lightpath.planner.stripe.Circuit(
                number(of, ends.from(), circuit.ingress(), true), number(of, ends.to(), circuit.egress(), false));
    }

    private int number(OcsSwitch of, String pod, String port, boolean ingress) {
        List<Wire> wires = wiring.wires(of.name(), pod);
        for (int index = 0; index < wires.size(); index++) {
            if ((ingress ? wires.get(index).ingress() : wires.get(index).egress()).equals(port)) {
                return podIndex.getOrDefault(pod, 0) * portsPerPod + index;
            }
        }
        throw new IllegalStateException("switch " + of.name() + " has no port " + port + " of pod " + pod);
    }

    private Circuit named(OcsSwitch of, dev.lightpath.planner.stripe.Circuit circuit) {
        Wire in =
                wiring.wires(of.name(), pods.get(circuit.from() / portsPerPod)).get(circuit.from() % portsPerPod);
        Wire out = wiring.wires(of.name(), pods.get(circuit.to() / portsPerPod)).get(circuit.to() % portsPerPod);
        return wiring.canonical(of.name(), new Circuit(in.ingress(), out.egress()));
    }
}
