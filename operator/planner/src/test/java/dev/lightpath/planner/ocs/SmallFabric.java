package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** A fabric with light on it and something failed, small enough to try every assignment of its links. */
final class SmallFabric {
    /**
     * @param drained circuits that stay on drained switches, where the fewest links are missing
     * @param moved sound circuits of other switches that go, where the fewest stay on drained ones
     */
    record Best(int missing, int drained, int moved) {}

    private record Place(String opticalSwitch, Circuit circuit) {}

    private final OcsWiring wiring;
    private final OcsHealth health;
    private final List<Link> links;
    private final List<Circuit> circuits;
    private final SwitchedLight previous;
    private final boolean fixed;
    private int bestPlaced = -1;
    private int bestKept = -1;
    private int bestDrained;

    private SmallFabric(
            OcsWiring wiring,
            OcsHealth health,
            List<Link> links,
            List<Circuit> circuits,
            SwitchedLight previous,
            boolean fixed) {
        this.circuits = circuits;
        this.wiring = wiring;
        this.health = health;
        this.links = links;
        this.previous = previous;
        this.fixed = fixed;
    }

    static SmallFabric random(long seed) {
        Random random = new Random(seed);
        DeviceKind kind = random.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY;
        int pods = 3 + random.nextInt(2);
        int switches = 2 + random.nextInt(2);
        int ports = 1 + random.nextInt(2);
        OcsWiring wiring = OcsWiring.of(Spine.striped(kind, pods, switches, ports));
        return lit(wiring, kind, ports == 1 ? 6 : 4, random, SmallFabric::trouble);
    }

    /**
     * Up to five pods on up to four switches, and one to four failures, so that one repair leads to the next: too many
     * links to try everything.
     */
    static SmallFabric crowded(long seed) {
        Random random = new Random(seed);
        DeviceKind kind = random.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY;
        int pods = 3 + random.nextInt(3);
        int switches = 3 + random.nextInt(2);
        int ports = 1 + random.nextInt(2);
        OcsWiring wiring = OcsWiring.of(Spine.striped(kind, pods, switches, ports));
        int most = 3 + random.nextInt(pods * switches * ports);
        int failures = 1 + random.nextInt(4);
        return lit(wiring, kind, most, random, (of, chance) -> failed(of, chance, failures));
    }

    private static SmallFabric lit(
            OcsWiring wiring,
            DeviceKind kind,
            int most,
            Random random,
            BiFunction<OcsWiring, Random, OcsHealth> trouble) {
        List<Place> all = new ArrayList<>();
        for (OcsSwitch of : wiring.intent().switches().values()) {
            for (OcsSwitch.Wire in : of.wiring()) {
                for (OcsSwitch.Wire out : of.wiring()) {
                    if (!in.pod().equals(out.pod())) {
                        all.add(new Place(
                                of.name(), wiring.canonical(of.name(), new Circuit(in.ingress(), out.egress()))));
                    }
                }
            }
        }
        Collections.shuffle(all, random);
        Set<PortUse> used = new HashSet<>();
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        List<Link> links = new ArrayList<>();
        List<Circuit> circuits = new ArrayList<>();
        for (Place place : all) {
            List<PortUse> uses = PortUse.of(place.opticalSwitch(), kind, place.circuit());
            if (links.size() < most && uses.stream().noneMatch(used::contains)) {
                used.addAll(uses);
                light.add(place.opticalSwitch(), place.circuit());
                circuits.add(place.circuit());
                OcsWiring.Ends ends =
                        wiring.ends(place.opticalSwitch(), place.circuit()).orElseThrow();
                links.add(new Link(ends.from(), ends.to(), place.opticalSwitch()));
            }
        }
        return new SmallFabric(wiring, trouble.apply(wiring, random), links, circuits, light.build(), false);
    }

    /** The same with each link bound to its switch. */
    SmallFabric bound() {
        return new SmallFabric(wiring, health, links, circuits, previous, true);
    }

    /** The same with one of its switches drained, and nothing failed if {@code sound}. */
    SmallFabric draining(Random random, boolean sound) {
        OcsIntent intent = wiring.intent();
        List<OcsSwitch> switches = List.copyOf(intent.switches().values());
        OcsSwitch of = switches.get(random.nextInt(switches.size()));
        OcsIntent drained = Spine.with(
                intent, new OcsSwitch(of.name(), of.device(), of.kind(), of.plane(), of.wiring(), of.reserved(), true));
        return new SmallFabric(
                OcsWiring.of(drained), sound ? OcsHealth.sound() : health, links, circuits, previous, fixed);
    }

    /** One or two ports, or a whole switch. */
    private static OcsHealth trouble(OcsWiring wiring, Random random) {
        List<OcsSwitch> switches = List.copyOf(wiring.intent().switches().values());
        if (random.nextInt(4) == 0) {
            return new OcsHealth(
                    Set.of(switches.get(random.nextInt(switches.size())).name()),
                    Set.of(),
                    Set.of(),
                    SwitchedLight.none());
        }
        return failed(wiring, random, 1 + random.nextInt(2));
    }

    private static OcsHealth failed(OcsWiring wiring, Random random, int failures) {
        List<OcsSwitch> switches = List.copyOf(wiring.intent().switches().values());
        Set<OcsHealth.FailedPort> ports = new HashSet<>();
        for (int failure = 0; failure < failures; failure++) {
            OcsSwitch of = switches.get(random.nextInt(switches.size()));
            OcsSwitch.Wire wire = of.wiring().get(random.nextInt(of.wiring().size()));
            ports.add(new OcsHealth.FailedPort(of.name(), random.nextBoolean() ? wire.ingress() : wire.egress()));
        }
        return new OcsHealth(Set.of(), ports, Set.of(), SwitchedLight.none());
    }

    LinkPlan.Outcome repaired() {
        return repaired(new Memo<>(Memo.Known.nothing(), LinkPlan.STRIPINGS));
    }

    LinkPlan.Outcome repaired(Memo<Striping, Striper.Partial> stripings) {
        return LinkPlan.plan(wiring, health, taken -> false, links, fixed, previous, stripings);
    }

    /** Sound circuits that a plan takes down. */
    int moved(LinkPlan.Outcome plan) {
        int[] moved = {0};
        previous.minus(plan.light())
                .forEach((name, circuit) -> moved[0] += !drained(name) && health.supports(name, circuit) ? 1 : 0);
        return moved[0];
    }

    /** Circuits that a plan leaves on drained switches and that work. */
    int onDrained(LinkPlan.Outcome plan) {
        int[] left = {0};
        plan.light().forEach((name, circuit) -> left[0] += drained(name) && health.supports(name, circuit) ? 1 : 0);
        return left[0];
    }

    private boolean drained(String name) {
        OcsSwitch of = wiring.intent().switches().get(name);
        return of != null && of.drained();
    }

    /** Tries everything. */
    Best best() {
        int[] sound = {0};
        previous.forEach((name, circuit) -> sound[0] += !drained(name) && health.supports(name, circuit) ? 1 : 0);
        search(0, 0, 0, 0, new HashSet<>());
        return new Best(links.size() - bestPlaced, bestDrained, sound[0] - bestKept);
    }

    private void search(int link, int placed, int drained, int kept, Set<PortUse> used) {
        int left = links.size() - link;
        if (!better(placed + left, drained, kept + left)) {
            return;
        }
        if (left == 0) {
            bestPlaced = placed;
            bestDrained = drained;
            bestKept = kept;
            return;
        }
        for (Place place : places(links.get(link))) {
            List<PortUse> uses = PortUse.of(place.opticalSwitch(), wiring.kind(place.opticalSwitch()), place.circuit());
            if (uses.stream().noneMatch(used::contains)) {
                used.addAll(uses);
                boolean on = drained(place.opticalSwitch());
                boolean keeps = !on && previous.on(place.opticalSwitch()).contains(place.circuit());
                search(link + 1, placed + 1, drained + (on ? 1 : 0), kept + (keeps ? 1 : 0), used);
                uses.forEach(used::remove);
            }
        }
        if (!sound(link)) {
            search(link + 1, placed, drained, kept, used);
        }
    }

    private boolean better(int placed, int drained, int kept) {
        if (placed != bestPlaced) {
            return placed > bestPlaced;
        }
        return drained == bestDrained ? kept > bestKept : drained < bestDrained;
    }

    /** A link that works is not given up for others. */
    private boolean sound(int link) {
        return health.supports(links.get(link).via(), circuits.get(link));
    }

    /** Pods that have fewer circuits between them than worked before. */
    List<String> givenUp(LinkPlan.Outcome plan) {
        SortedMap<String, Integer> circuits = new TreeMap<>();
        plan.light().forEach((name, circuit) -> {
            if (health.supports(name, circuit)) {
                circuits.merge(pods(wiring.ends(name, circuit).orElseThrow()), 1, Integer::sum);
            }
        });
        previous.forEach((name, circuit) -> {
            if (health.supports(name, circuit)) {
                circuits.merge(pods(wiring.ends(name, circuit).orElseThrow()), -1, Integer::sum);
            }
        });
        circuits.values().removeIf(more -> more >= 0);
        return List.copyOf(circuits.keySet());
    }

    private String pods(OcsWiring.Ends ends) {
        boolean turned =
                wiring.kind("ocs-0") == DeviceKind.ANY_TO_ANY && ends.from().compareTo(ends.to()) > 0;
        return turned ? ends.to() + ">" + ends.from() : ends.from() + ">" + ends.to();
    }

    private List<Place> places(Link link) {
        List<Place> places = new ArrayList<>();
        for (OcsSwitch of : wiring.intent().switches().values()) {
            for (OcsSwitch.Wire in : wiring.wires(of.name(), link.from())) {
                for (OcsSwitch.Wire out : wiring.wires(of.name(), link.to())) {
                    Circuit circuit = wiring.canonical(of.name(), new Circuit(in.ingress(), out.egress()));
                    boolean open = health.open(of)
                            || (of.drained() && previous.on(of.name()).contains(circuit));
                    if (open && health.supports(of.name(), circuit)) {
                        places.add(new Place(of.name(), circuit));
                    }
                }
            }
        }
        return places;
    }

    @Override
    public String toString() {
        return links + " on " + previous.circuits() + " with " + health;
    }
}
