package dev.lightpath.planner.discovery;

import dev.lightpath.planner.discovery.Found.Evidence;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.FarEnd;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which probing circuit of a switch comes next, and what a probing circuit teaches.
 *
 * <p>On a two-sided switch a circuit that is heard tells both of its ends. So ingress and egress ports are first tried
 * in pairs, until {@value #MOST_SILENT_PAIRS} pairs were silent: silence takes much longer than a voice, so each port
 * is then tried against one that works, which settles it at once. On an any-to-any switch two far ends hear each other,
 * and a second circuit at one of the ports tells which is which; from then on each circuit from a known port tells one
 * more. A port at which nothing was heard is tried once more against a port that works, and is dark if nothing is heard
 * then either. While no port is known to work, each port is tried with two others.
 *
 * <p>So a switch of n ports takes at most 2n circuits, and about n/2 (two-sided) or n (any-to-any) where all fibres are
 * sound. Circuits that were disturbed are tried again, each at most {@value #MOST_DISTURBANCES} times.
 */
public final class ProbeOrder {
    /** A circuit that was disturbed so often is given up. */
    static final int MOST_DISTURBANCES = 3;

    /** So many silent pairs of a two-sided switch say that dead fibres are common. */
    static final int MOST_SILENT_PAIRS = 2;

    /** With so many others a port is tried while none is known to work. */
    private static final int OTHERS = 2;

    private static final Comparator<FarEnd> BY_NAME =
            Comparator.comparing(FarEnd::device).thenComparing(FarEnd::port);

    /** What comes next. */
    public sealed interface Next {
        /** This circuit is tried. */
        record Probe(Circuit circuit) implements Next {}

        /** Nothing is left to be tried; so much is concluded of ports that nothing was heard of. */
        record Over(SortedMap<FibreEnd, Found> rest) implements Next {}
    }

    private final SwitchDiscovery known;
    private final Collection<FibreEnd> free;
    private final Predicate<Circuit> possible;

    private ProbeOrder(SwitchDiscovery known, Collection<FibreEnd> free, Predicate<Circuit> possible) {
        this.known = known;
        this.free = free;
        this.possible = possible;
    }

    /**
     * O(ends * (silent circuits + ends)) at worst, and linear in ends mostly.
     *
     * @param free ends that nobody uses, in order: of both sides, or of {@code BOTH} alone
     * @param possible whether the device can make a circuit
     */
    public static Next next(
            SwitchDiscovery known, Collection<FibreEnd> free, Predicate<Circuit> possible, Instant now) {
        ProbeOrder order = new ProbeOrder(known, free, possible);
        boolean anyToAny = free.stream().anyMatch(end -> end.side() == FibreEnd.Side.BOTH);
        Optional<Circuit> circuit = anyToAny ? order.anyToAny() : order.twoSided();
        return circuit.<Next>map(Next.Probe::new).orElseGet(() -> new Next.Over(order.rest(now)));
    }

    private Optional<Circuit> twoSided() {
        List<String> openIn = open(FibreEnd.Side.INGRESS);
        List<String> openOut = open(FibreEnd.Side.EGRESS);
        List<String> goodIn = working(FibreEnd.Side.INGRESS);
        List<String> goodOut = working(FibreEnd.Side.EGRESS);
        boolean settles = !goodIn.isEmpty()
                && !goodOut.isEmpty()
                && known.tally().silent().size() >= MOST_SILENT_PAIRS;
        Optional<Circuit> fresh = settles ? Optional.empty() : pair(openIn, openOut, 1);
        if (fresh.isPresent()) {
            return fresh;
        }
        Optional<Circuit> against = pairs(openIn, goodOut).or(() -> pairs(goodIn, openOut));
        return against.isPresent() || !(goodIn.isEmpty() && goodOut.isEmpty())
                ? against
                : pair(openIn, openOut, OTHERS);
    }

    private Optional<Circuit> anyToAny() {
        List<String> open = open(FibreEnd.Side.BOTH);
        List<String> good = working(FibreEnd.Side.BOTH);
        if (!good.isEmpty()) {
            return pairs(good, open);
        }
        SortedSet<String> joined = new TreeSet<>();
        known.tally().joined().keySet().forEach(circuit -> joined.addAll(List.of(circuit.ingress(), circuit.egress())));
        Optional<Circuit> second = pairs(open.stream().filter(joined::contains).toList(), open);
        if (second.isPresent()) {
            return second;
        }
        List<String> others =
                open.stream().filter(port -> !joined.contains(port)).toList();
        return pair(others, others, 1).or(() -> pair(others, others, OTHERS));
    }

    /** Free ends of which nothing is known. */
    private List<String> open(FibreEnd.Side side) {
        return free.stream()
                .filter(end -> end.side() == side && !known.found().containsKey(end))
                .map(FibreEnd::port)
                .filter(port -> known.tally().disturbances(port) < 2 * MOST_DISTURBANCES)
                .toList();
    }

    /** Free ends whose fibre is known to carry light. */
    private List<String> working(FibreEnd.Side side) {
        return free.stream()
                .filter(end -> end.side() == side)
                .filter(end -> {
                    Found found = known.found().get(end);
                    return found != null && found.leads();
                })
                .map(FibreEnd::port)
                .toList();
    }

    /** The first circuit of these that was not tried. */
    private Optional<Circuit> pairs(List<String> in, List<String> out) {
        for (String ingress : in) {
            for (String egress : out) {
                if (mayTry(new Circuit(ingress, egress))) {
                    return Optional.of(new Circuit(ingress, egress));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * A circuit of two ports that were each in fewer silent circuits than this. The egress is not that of the ingress's
     * own place in the order, because both fibres of a far end mostly have the same place.
     */
    private Optional<Circuit> pair(List<String> in, List<String> out, int tried) {
        List<String> outs = out.stream()
                .filter(port -> known.tally().silences(port) < tried)
                .toList();
        for (int place = 0; place < in.size(); place++) {
            String ingress = in.get(place);
            if (known.tally().silences(ingress) >= tried) {
                continue;
            }
            for (int step = 1; step <= outs.size(); step++) {
                String egress = outs.get((place + step) % outs.size());
                if (mayTry(new Circuit(ingress, egress))) {
                    return Optional.of(new Circuit(ingress, egress));
                }
            }
        }
        return Optional.empty();
    }

    private boolean mayTry(Circuit circuit) {
        Circuit turned = new Circuit(circuit.egress(), circuit.ingress());
        return !circuit.ingress().equals(circuit.egress())
                && !known.tally().silent().contains(circuit)
                && !known.tally().silent().contains(turned)
                && !known.tally().joined().containsKey(turned)
                && !known.tally().joined().containsKey(circuit)
                && known.tally().disturbed().getOrDefault(circuit, 0) < MOST_DISTURBANCES
                && possible.test(circuit);
    }

    private SortedMap<FibreEnd, Found> rest(Instant now) {
        SortedMap<FibreEnd, Found> rest = new TreeMap<>();
        known.tally()
                .joined()
                .forEach((circuit, ends) -> List.of(circuit.ingress(), circuit.egress())
                        .forEach(port -> rest.put(
                                FibreEnd.both(port),
                                new Found(Evidence.AMBIGUOUS, ends, OptionalDouble.empty(), now))));
        for (FibreEnd end : free) {
            rest.putIfAbsent(end, Found.silent(Evidence.UNHEARD, OptionalDouble.empty(), now));
        }
        rest.keySet().removeAll(known.found().keySet());
        return rest;
    }

    /**
     * What a probing circuit taught that was undisturbed.
     *
     * @param known before
     * @param anyToAny whether light goes both ways
     * @param heard by whom and of whom it was heard: nothing, one voice, or on an any-to-any switch two that answer
     *     each other
     * @param certain whether every far end could be heard: else silence proves nothing
     * @param enteringDbm power that enters at its ingress, where that is measured
     */
    public static SwitchDiscovery learn(
            SwitchDiscovery known,
            boolean anyToAny,
            Circuit circuit,
            List<Voice> heard,
            boolean certain,
            OptionalDouble enteringDbm,
            Instant now) {
        if (heard.isEmpty()) {
            return silence(known, anyToAny, circuit, certain, enteringDbm, now);
        }
        if (!anyToAny) {
            Voice voice = heard.getFirst();
            return known.and(Map.of(
                    FibreEnd.ingress(circuit.ingress()), Found.heard(voice.speaker(), enteringDbm, now),
                    FibreEnd.egress(circuit.egress()), Found.heard(voice.receiver(), voice.receivedDbm(), now)));
        }
        return joined(known, circuit, heard, now);
    }

    private static SwitchDiscovery silence(
            SwitchDiscovery known,
            boolean anyToAny,
            Circuit circuit,
            boolean certain,
            OptionalDouble enteringDbm,
            Instant now) {
        FibreEnd in = anyToAny ? FibreEnd.both(circuit.ingress()) : FibreEnd.ingress(circuit.ingress());
        FibreEnd out = anyToAny ? FibreEnd.both(circuit.egress()) : FibreEnd.egress(circuit.egress());
        Evidence evidence = certain ? Evidence.DARK : Evidence.UNHEARD;
        SortedMap<FibreEnd, Found> dark = new TreeMap<>();
        if (works(known, in)) {
            dark.put(out, Found.silent(evidence, OptionalDouble.empty(), now));
        }
        if (works(known, out)) {
            dark.put(in, Found.silent(evidence, anyToAny ? OptionalDouble.empty() : enteringDbm, now));
        }
        return known.and(dark).with(known.tally().silent(circuit));
    }

    /** Whether light is known to go through an end, also where it is open whose it is. */
    private static boolean works(SwitchDiscovery known, FibreEnd end) {
        Found found = known.found().get(end);
        return found != null
                ? found.leads()
                : known.tally().joined().keySet().stream()
                        .anyMatch(circuit -> end.side() == FibreEnd.Side.BOTH && circuit.isAt(end.port()));
    }

    private static SwitchDiscovery joined(SwitchDiscovery known, Circuit circuit, List<Voice> heard, Instant now) {
        List<FarEnd> ends = heard.stream().map(Voice::receiver).sorted(BY_NAME).toList();
        SortedMap<FibreEnd, Found> told = new TreeMap<>();
        Set<FarEnd> left = new HashSet<>(ends);
        for (String port : List.of(circuit.ingress(), circuit.egress())) {
            Found before = known.found().get(FibreEnd.both(port));
            if (before != null && before.leads() && left.remove(before.farEnds().getFirst()) && left.size() == 1) {
                String other = circuit.ingress().equals(port) ? circuit.egress() : circuit.ingress();
                FarEnd there = left.iterator().next();
                told.put(FibreEnd.both(other), Found.heard(there, power(heard, there), now));
                return known.and(told);
            }
        }
        for (Map.Entry<Circuit, List<FarEnd>> earlier : known.tally().joined().entrySet()) {
            for (String port :
                    List.of(earlier.getKey().ingress(), earlier.getKey().egress())) {
                if (!port.equals(circuit.ingress()) && !port.equals(circuit.egress())) {
                    continue;
                }
                List<FarEnd> common =
                        earlier.getValue().stream().filter(ends::contains).toList();
                if (common.size() == 1 && ends.size() == 2) {
                    FarEnd here = common.getFirst();
                    told.put(FibreEnd.both(port), Found.heard(here, power(heard, here), now));
                    other(earlier.getKey(), port, earlier.getValue(), here)
                            .forEach((end, farEnd) -> told.put(end, Found.heard(farEnd, power(heard, farEnd), now)));
                    other(circuit, port, ends, here)
                            .forEach((end, farEnd) -> told.put(end, Found.heard(farEnd, power(heard, farEnd), now)));
                    return known.and(told);
                }
            }
        }
        return known.with(known.tally().joined(circuit, ends));
    }

    private static Map<FibreEnd, FarEnd> other(Circuit circuit, String port, List<FarEnd> ends, FarEnd here) {
        String other = circuit.ingress().equals(port) ? circuit.egress() : circuit.ingress();
        return ends.stream()
                .filter(end -> !end.equals(here))
                .findFirst()
                .map(end -> Map.of(FibreEnd.both(other), end))
                .orElseGet(Map::of);
    }

    private static OptionalDouble power(List<Voice> heard, FarEnd receiver) {
        return heard.stream()
                .filter(voice -> voice.receiver().equals(receiver))
                .map(Voice::receivedDbm)
                .findFirst()
                .orElseGet(OptionalDouble::empty);
    }

    /** A probing circuit that something else was heard with, or that did not last. */
    public static SwitchDiscovery disturbed(SwitchDiscovery known, Circuit circuit) {
        return known.with(known.tally().disturbed(circuit));
    }

    /**
     * What a circuit makes heard: empty while that is open. One voice where two are expected is no silence: a fibre
     * leads there, and the other way something is dead. The circuit is tried again, and given up.
     *
     * @param fresh voices that were not there before it was made
     * @param late whether nothing more is waited for
     */
    public static Optional<Heard> heard(boolean anyToAny, List<Voice> fresh, boolean late) {
        int expected = anyToAny ? 2 : 1;
        if (fresh.size() > expected) {
            return Optional.of(new Heard(List.of(), true));
        }
        if (fresh.size() == expected) {
            boolean fits = !anyToAny || fresh.getFirst().answers(fresh.getLast());
            return Optional.of(new Heard(fits ? fresh : List.of(), !fits));
        }
        return late ? Optional.of(new Heard(List.of(), !fresh.isEmpty())) : Optional.empty();
    }

    /** What was heard of a circuit, or that something else was heard with it. */
    public record Heard(List<Voice> voices, boolean disturbed) {
        public Heard {
            voices = List.copyOf(voices);
        }
    }
}
