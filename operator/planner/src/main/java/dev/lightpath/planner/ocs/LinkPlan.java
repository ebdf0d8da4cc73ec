package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Assigns ports to links. Planned, healthy links stay where they are. A link that lost its place gets, in this order:
 *
 * <ol>
 * <li>a spare port on the same switch; its healthy end does not move
 * <li>free ports on another switch
 * <li>if links may move, ports that become free when healthy links are re-striped with as few moves as possible
 * </ol>
 *
 * <p>Then drained switches are emptied, onto free ports first. O(links * switches * ports of a pod on a switch), except
 * for the two searches of that many steps each ({@link Restriping}).
 */
public final class LinkPlan {
    /** Searches for ports for circuits. */
    public static final Memo.Kind<Striping, Striper.Partial> STRIPINGS = new Memo.Kind<>("stripings", Striping::bytes);

    /**
     * @param light the circuits, by switch
     * @param missing links without a place
     */
    public record Outcome(SwitchedLight light, List<Link> missing) {
        public Outcome {
            missing = List.copyOf(missing);
        }
    }

    private record Slot(String via, OcsWiring.Ends ends) {}

    private final OcsWiring wiring;
    private final OcsHealth health;
    private final Predicate<PortUse> taken;
    private final Set<PortUse> used = new HashSet<>();
    private final boolean fixed;
    private final List<Link> links;
    private final Map<Integer, SwitchCircuit> places = new LinkedHashMap<>();
    private final Map<Integer, SwitchCircuit> former = new TreeMap<>();

    private LinkPlan(OcsWiring wiring, OcsHealth health, Predicate<PortUse> taken, List<Link> links, boolean fixed) {
        this.wiring = wiring;
        this.health = health;
        this.taken = taken;
        this.links = links;
        this.fixed = fixed;
    }

    /**
     * @param taken whether another slice holds a port
     * @param fixed whether each link can be made on its own switch only
     * @param previous earlier circuits of these links
     * @param stripings cache of this pass
     */
    public static Outcome plan(
            OcsWiring wiring,
            OcsHealth health,
            Predicate<PortUse> taken,
            List<Link> links,
            boolean fixed,
            SwitchedLight previous,
            Memo<Striping, Striper.Partial> stripings) {
        LinkPlan plan = new LinkPlan(wiring, health, taken, links, fixed);
        Outcome most = plan.most(previous, stripings);
        return plan.withHopeless(fixed ? most : plan.emptied(most, previous, stripings));
    }

    /**
     * The same, but working circuits on drained switches stay: for circuits that are to be recorded as they are found.
     */
    public static Outcome adopt(
            OcsWiring wiring,
            OcsHealth health,
            Predicate<PortUse> taken,
            List<Link> links,
            boolean fixed,
            SwitchedLight found,
            Memo<Striping, Striper.Partial> stripings) {
        LinkPlan plan = new LinkPlan(wiring, health, taken, links, fixed);
        return plan.withHopeless(plan.most(found, stripings));
    }

    /** The most links that find a place. */
    private Outcome most(SwitchedLight previous, Memo<Striping, Striper.Partial> stripings) {
        keep(previous);
        placeAtHome();
        if (fixed) {
            return outcome();
        }
        placeElsewhere();
        Outcome placed = outcome();
        return placed.missing().isEmpty() || health.equals(OcsHealth.sound())
                ? placed
                : Restriping.improve(
                        wiring, health, taken, links, places, previous, placed, Restriping.STEPS, stripings);
    }

    /**
     * For links of a job's traffic, where any circuit between two pods will do: what cannot be made is left out.
     *
     * @param mayMove whether healthy links may move to make room for others. If {@code health} has the ports of a
     *     drained switch as lost, its links move in any case
     * @param stripings cache of this pass
     */
    public static Outcome follow(
            OcsWiring wiring,
            OcsHealth health,
            Predicate<PortUse> taken,
            List<Link> links,
            boolean mayMove,
            SwitchedLight previous,
            Memo<Striping, Striper.Partial> stripings) {
        return follow(wiring, health, taken, links, mayMove, previous, stripings, Restriping.STEPS);
    }

    /**
     * The same with a search of its own length.
     *
     * @param steps of the search for the least light moved, after chains of moves have been tried
     */
    public static Outcome follow(
            OcsWiring wiring,
            OcsHealth health,
            Predicate<PortUse> taken,
            List<Link> links,
            boolean mayMove,
            SwitchedLight previous,
            Memo<Striping, Striper.Partial> stripings,
            long steps) {
        LinkPlan plan = new LinkPlan(wiring, health, taken, links, false);
        plan.keep(previous);
        plan.placeAtHome();
        plan.placeElsewhere();
        Outcome outcome = plan.outcome();
        return !mayMove || outcome.missing().isEmpty()
                ? outcome
                : Restriping.improve(wiring, health, taken, links, plan.places, previous, outcome, steps, stripings);
    }

    /** A link that lost its place and finds no other stays where it was, in case that place recovers. */
    private Outcome withHopeless(Outcome outcome) {
        Set<PortUse> busy = wiring.uses(outcome.light());
        SwitchedLight.Builder hopeless = new SwitchedLight.Builder();
        List<Link> missing = new ArrayList<>(outcome.missing());
        former.forEach((link, place) -> {
            if (missing.remove(links.get(link)) && uses(place).stream().noneMatch(taken.or(busy::contains))) {
                busy.addAll(uses(place));
                hopeless.add(place.opticalSwitch(), place.circuit());
            }
        });
        return new Outcome(outcome.light().and(hopeless.build()), outcome.missing());
    }

    private void keep(SwitchedLight previous) {
        Map<Slot, Deque<SwitchCircuit>> sound = new HashMap<>();
        Map<Slot, Deque<SwitchCircuit>> lost = new HashMap<>();
        previous.forEach((name, circuit) -> wiring.ends(name, circuit).ifPresent(ends -> {
            SwitchCircuit place = new SwitchCircuit(name, circuit);
            boolean stays =
                    health.supports(name, circuit) && uses(place).stream().noneMatch(this::isUsed);
            (stays ? sound : lost)
                    .computeIfAbsent(slot(name, ends), at -> new ArrayDeque<>())
                    .add(place);
        }));
        for (int link = 0; link < links.size(); link++) {
            Slot slot = slot(links.get(link));
            SwitchCircuit kept = preferred(sound.get(slot), links.get(link).via());
            if (kept != null) {
                claim(link, kept);
            }
        }
        for (int link = 0; link < links.size(); link++) {
            if (!places.containsKey(link)) {
                Slot slot = slot(links.get(link));
                SwitchCircuit before = preferred(lost.get(slot), links.get(link).via());
                if (before != null) {
                    former.put(link, before);
                }
            }
        }
    }

    private static @Nullable SwitchCircuit preferred(@Nullable Deque<SwitchCircuit> places, String via) {
        if (places == null || places.isEmpty()) {
            return null;
        }
        for (SwitchCircuit place : places) {
            if (place.opticalSwitch().equals(via)) {
                places.remove(place);
                return place;
            }
        }
        return places.poll();
    }

    private Slot slot(String via, OcsWiring.Ends ends) {
        return new Slot(fixed ? via : "", wiring.joined(via, ends));
    }

    private Slot slot(Link link) {
        return slot(link.via(), new OcsWiring.Ends(link.from(), link.to()));
    }

    private void placeAtHome() {
        for (int link = 0; link < links.size(); link++) {
            SwitchCircuit before = former.get(link);
            if (!places.containsKey(link) && before != null) {
                tryOn(link, before.opticalSwitch());
            }
        }
        for (int link = 0; link < links.size(); link++) {
            if (!places.containsKey(link)) {
                tryOn(link, links.get(link).via());
            }
        }
    }

    private void placeElsewhere() {
        for (int link = 0; link < links.size(); link++) {
            if (places.containsKey(link)) {
                continue;
            }
            for (String name : wiring.intent().switches().keySet()) {
                if (!places.containsKey(link)) {
                    tryOn(link, name);
                }
            }
        }
    }

    /**
     * Moves circuits from drained switches to free ports elsewhere. If there are none, to ports that healthy links free
     * by moving back to their own switch or elsewhere. A drain takes no link's place: a circuit without another place
     * stays where it works.
     */
    private Outcome emptied(Outcome before, SwitchedLight lit, Memo<Striping, Striper.Partial> stripings) {
        if (wiring.intent().switches().values().stream().noneMatch(OcsSwitch::drained)) {
            return before;
        }
        LinkPlan plan = standing(before);
        List<Integer> leaving = plan.onDrained();
        plan.leaveDrained();
        Outcome free = plan.outcome();
        int left = standing(free).onDrained().size();
        if (left == 0) {
            return free;
        }
        Outcome moved = vacated(before, leaving, lit, stripings);
        return standing(moved).onDrained().size() < left ? moved : free;
    }

    /** Each link where an outcome has it. */
    private LinkPlan standing(Outcome outcome) {
        LinkPlan plan = new LinkPlan(wiring, health, taken, links, false);
        plan.keep(outcome.light());
        return plan;
    }

    private List<Integer> onDrained() {
        return places.entrySet().stream()
                .filter(each -> drained(each.getValue().opticalSwitch()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private Outcome vacated(
            Outcome before, List<Integer> leaving, SwitchedLight lit, Memo<Striping, Striper.Partial> stripings) {
        LinkPlan plan = standing(before);
        List<SwitchCircuit> left = new ArrayList<>();
        leaving.forEach(link -> Optional.ofNullable(plan.places.remove(link)).ifPresent(left::add));
        Outcome after = withStaying(
                left,
                Restriping.improve(
                        wiring, health, taken, links, plan.places, lit, plan.outcome(), Restriping.STEPS, stripings));
        return missesMore(after, before) ? before : after;
    }

    /**
     * Whether any two pods miss more links. Counted by pods: what the pass has moved already looks as if it had never
     * had light, and could else be given up for a link that has none.
     */
    private boolean missesMore(Outcome after, Outcome before) {
        Map<Slot, Integer> mayMiss = new HashMap<>();
        before.missing().forEach(link -> mayMiss.merge(slot(link), 1, Integer::sum));
        return after.missing().stream().anyMatch(link -> mayMiss.merge(slot(link), -1, Integer::sum) < 0);
    }

    /** The same with circuits where they are, for links between the same pods that are missing. */
    private Outcome withStaying(Collection<SwitchCircuit> staying, Outcome outcome) {
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        List<Link> missing = new ArrayList<>(outcome.missing());
        for (SwitchCircuit place : staying) {
            String name = place.opticalSwitch();
            Optional<OcsWiring.Ends> pods = wiring.joined(name, place.circuit());
            Optional<Link> served = missing.stream()
                    .filter(link ->
                            pods.equals(Optional.of(wiring.joined(name, new OcsWiring.Ends(link.from(), link.to())))))
                    .findFirst();
            if (served.isPresent()) {
                missing.remove(served.get());
                light.add(name, place.circuit());
            }
        }
        return new Outcome(outcome.light().and(light.build()), missing);
    }

    /** Light on a drained switch moves where another switch has room for it. */
    private void leaveDrained() {
        for (int link = 0; link < links.size(); link++) {
            SwitchCircuit place = places.get(link);
            if (place == null || !drained(place.opticalSwitch())) {
                continue;
            }
            places.remove(link);
            used.removeAll(uses(place));
            former.put(link, place);
            for (String name : wiring.intent().switches().keySet()) {
                if (!places.containsKey(link)) {
                    tryOn(link, name);
                }
            }
            if (!places.containsKey(link)) {
                claim(link, place);
            }
        }
    }

    private boolean drained(String name) {
        OcsSwitch of = wiring.intent().switches().get(name);
        return of != null && of.drained();
    }

    private void tryOn(int link, String name) {
        OcsSwitch of = wiring.intent().switches().get(name);
        if (of == null || !health.open(of)) {
            return;
        }
        Link wanted = links.get(link);
        boolean spares = former.containsKey(link) || unwellAtHome(wanted);
        SwitchCircuit before = former.get(link);
        Circuit was = before != null && before.opticalSwitch().equals(name) ? before.circuit() : null;
        Optional<String> in = choose(of, wanted.from(), true, spares, was, "");
        Optional<String> out = in.flatMap(port -> choose(of, wanted.to(), false, spares, was, port));
        if (in.isPresent() && out.isPresent()) {
            claim(link, new SwitchCircuit(name, wiring.canonical(name, new Circuit(in.get(), out.get()))));
        }
    }

    /** Whether a fault at the link's own switch prevents it, so that spare ports may be used. */
    private boolean unwellAtHome(Link link) {
        OcsSwitch home = wiring.intent().switches().get(link.via());
        if (home == null || !health.open(home)) {
            return true;
        }
        return regular(home, link.from()).stream().anyMatch(wire -> health.lostIngress(home.name(), wire.ingress()))
                || regular(home, link.to()).stream().anyMatch(wire -> health.lostEgress(home.name(), wire.egress()));
    }

    private List<Wire> regular(OcsSwitch of, String pod) {
        return wiring.wires(of.name(), pod).stream()
                .filter(wire -> !reserved(of, wire))
                .toList();
    }

    private static boolean reserved(OcsSwitch of, Wire wire) {
        return of.reserved().contains(wire.ingress()) || of.reserved().contains(wire.egress());
    }

    private Optional<String> choose(
            OcsSwitch of, String pod, boolean ingress, boolean spares, @Nullable Circuit was, String other) {
        String reserve = "";
        for (Wire wire : wiring.wires(of.name(), pod)) {
            String port = ingress ? wire.ingress() : wire.egress();
            boolean same = of.kind() == DeviceKind.ANY_TO_ANY && port.equals(other);
            boolean usable = ingress ? health.enters(of, wire, this::isUsed) : health.leaves(of, wire, this::isUsed);
            if (same || !usable) {
                continue;
            }
            boolean held = was != null && (port.equals(was.ingress()) || port.equals(was.egress()));
            if (held) {
                return Optional.of(port);
            }
            if (reserve.isEmpty() || (isReserve(of, pod, reserve, ingress) && !reserved(of, wire))) {
                if (!reserved(of, wire) || spares) {
                    reserve = port;
                }
            }
        }
        return reserve.isEmpty() ? Optional.empty() : Optional.of(reserve);
    }

    private boolean isReserve(OcsSwitch of, String pod, String port, boolean ingress) {
        return wiring.wires(of.name(), pod).stream()
                .anyMatch(wire -> (ingress ? wire.ingress() : wire.egress()).equals(port) && reserved(of, wire));
    }

    private void claim(int link, SwitchCircuit place) {
        places.put(link, place);
        used.addAll(uses(place));
    }

    private boolean isUsed(PortUse port) {
        return used.contains(port) || taken.test(port);
    }

    private List<PortUse> uses(SwitchCircuit place) {
        return wiring.uses(place.opticalSwitch(), place.circuit());
    }

    private Outcome outcome() {
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        places.values().forEach(place -> light.add(place.opticalSwitch(), place.circuit()));
        List<Link> missing = new ArrayList<>();
        for (int link = 0; link < links.size(); link++) {
            if (!places.containsKey(link)) {
                missing.add(links.get(link));
            }
        }
        return new Outcome(light.build(), missing);
    }
}
