package dev.lightpath.planner.health;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Which ports degrade among their peers. A port exceeds a limit if it is worse than the median of its peers by the
 * limit, and by three standard deviations of what is usual among them. So a launch that is weak for all, or a hot day,
 * blames no port. Fewer than {@link #FEWEST_PEERS} ports have no median: each is judged alone. Peers of a circuit that
 * was worse from the beginning are those of which a factory table tells: what a plant costs beside it they all lose.
 *
 * <p>Ports whose light passes one switch are peers, if they are enough. So a switch that ages blames none of them. It is
 * one finding itself, if the median of its ports is worse than that of the other switches by a limit. A port that lost
 * more than those of all switches by the limit for loss need have lost more than its peers by half of it.
 */
final class Judgement {
    static final int FEWEST_PEERS = 4;
    /** A drift of less than this has not been seen yet: levels are told in steps. */
    static final double LEAST_RISE_DB = 0.5;

    private static final double SIGMAS = 3;
    private static final double FEWEST_BIT_ERRORS = 1e-15;
    /** A port with errors must have three times as many as its peers. */
    private static final double DECADES = 0.5;

    private record Port(Place place, String through, PortHistory history) {
        double decades() {
            return Judgement.decades(bitErrors());
        }

        OptionalDouble bitErrors() {
            return history.last().map(Reading::bitErrorRatio).orElse(OptionalDouble.empty());
        }

        /** Whether its factory measured this way, too. */
        boolean promised() {
            return history.last()
                    .filter(reading -> reading.promisedDb().isPresent())
                    .isPresent();
        }

        boolean fromFactory() {
            return history.baseline().source() == Baseline.Source.FACTORY;
        }

        double riseDb() {
            return history.riseDb();
        }
    }

    /** What is usual among peers. */
    private record Usual(double median, double sigma, boolean known) {
        static <T> Usual of(List<T> peers, ToDoubleFunction<T> value) {
            double[] values = peers.stream().mapToDouble(value).toArray();
            if (values.length < FEWEST_PEERS) {
                return new Usual(0, 0, false);
            }
            double median = Median.of(values);
            return new Usual(median, Median.sigma(values, median), true);
        }

        boolean exceeded(double value, double limit) {
            return limit > 0 && value - median >= limit && value - median >= SIGMAS * sigma;
        }

        Usual or(Usual wider) {
            return known ? this : wider;
        }

        OptionalDouble told() {
            return known ? OptionalDouble.of(median) : OptionalDouble.empty();
        }
    }

    /** What is usual among peers of each thing that is judged. */
    private record AllUsual(Usual rises, Usual excesses, Usual drifts, Usual decades) {
        static AllUsual of(List<Port> ports) {
            return new AllUsual(
                    Usual.of(ports, Port::riseDb),
                    Usual.of(ports.stream().filter(Port::promised).toList(), Port::riseDb),
                    Usual.of(
                            ports.stream()
                                    .filter(port ->
                                            port.history().driftDbPerDay().isPresent())
                                    .toList(),
                            port -> port.history().driftDbPerDay().orElse(0)),
                    Usual.of(
                            ports.stream()
                                    .filter(port -> port.bitErrors().isPresent())
                                    .toList(),
                            Port::decades));
        }

        Usual rises(Port port) {
            return port.fromFactory() ? excesses : rises;
        }

        /** What is usual among more, where these are too few. */
        AllUsual or(AllUsual wider) {
            return new AllUsual(
                    rises.or(wider.rises),
                    excesses.or(wider.excesses),
                    drifts.or(wider.drifts),
                    decades.or(wider.decades));
        }
    }

    /** Ports whose light passes one switch, which is one place as a whole. */
    private record Whole(Place place, List<Port> ports) {
        boolean has(Place port) {
            return port.device().equals(place.device());
        }

        /**
         * Median of the losses of its ports.
         *
         * @param alone whether it is compared with no others: then nobody knows what the plant costs all circuits beside
         *     what a factory measured
         */
        double riseDb(boolean alone) {
            return Median.of(ports.stream()
                    .filter(port -> !alone || !port.fromFactory())
                    .mapToDouble(Port::riseDb)
                    .toArray());
        }

        /** Median of the drifts of its ports, if enough of them have one. */
        OptionalDouble driftDbPerDay() {
            return median(port -> port.history().driftDbPerDay());
        }

        /** Median of the bit error ratios of its ports, if enough of them count any. */
        OptionalDouble bitErrors() {
            return median(Port::bitErrors);
        }

        double decades() {
            return Judgement.decades(bitErrors());
        }

        private OptionalDouble median(Function<Port, OptionalDouble> value) {
            double[] values = ports.stream()
                    .map(value)
                    .flatMapToDouble(OptionalDouble::stream)
                    .toArray();
            return values.length < FEWEST_PEERS ? OptionalDouble.empty() : OptionalDouble.of(Median.of(values));
        }
    }

    private final HealthPolicy policy;
    private final Instant now;
    private final Map<Place, Finding> before;
    private final SortedMap<String, List<Port>> groups = new TreeMap<>();

    /** @param before what was found until now */
    Judgement(HealthPolicy policy, Instant now, Map<Place, Finding> before) {
        this.policy = policy;
        this.now = now;
        this.before = before;
    }

    /** @param device that the port belongs to */
    void port(Watched device, Place place, PortHistory history) {
        groups.computeIfAbsent(device.peers(), group -> new ArrayList<>())
                .add(new Port(place, device.through().apply(place.port()).orElse(""), history));
    }

    private static double decades(OptionalDouble bitErrors) {
        return Math.log10(Math.max(FEWEST_BIT_ERRORS, bitErrors.orElse(0)));
    }

    private double limit(double limit, Place place) {
        return before.containsKey(place) ? limit / 2 : limit;
    }

    /** O(ports log ports). */
    SortedMap<Place, Finding> findings() {
        SortedMap<Place, Finding> findings = new TreeMap<>();
        List<Whole> switches = new ArrayList<>();
        for (List<Port> group : groups.values()) {
            AllUsual usual = AllUsual.of(group);
            SortedMap<String, List<Port>> bySwitch = new TreeMap<>();
            group.forEach(port -> bySwitch.computeIfAbsent(port.through(), name -> new ArrayList<>())
                    .add(port));
            bySwitch.forEach((name, ports) -> {
                AllUsual among = name.isEmpty() ? usual : AllUsual.of(ports).or(usual);
                ports.forEach(port -> finding(port, among, usual).ifPresent(found -> put(findings, found)));
                if (!name.isEmpty() && ports.size() >= FEWEST_PEERS) {
                    switches.add(new Whole(new Place(name, ""), ports));
                }
            });
        }
        ageing(switches, findings.keySet()).forEach(found -> put(findings, found));
        return findings;
    }

    private void put(SortedMap<Place, Finding> findings, Finding found) {
        Finding earlier = before.get(found.place());
        findings.put(found.place(), earlier == null ? found : found.after(earlier));
    }

    /**
     * @param switches of which ports are measured; its far ends may be apart from its own
     * @param worse ports that get worse
     */
    private List<Finding> ageing(List<Whole> switches, Set<Place> worse) {
        boolean alone = switches.stream().map(Whole::place).distinct().count() < FEWEST_PEERS;
        List<Whole> peers = alone ? List.of() : switches;
        Usual rises = Usual.of(peers, of -> of.riseDb(false));
        Usual drifts = Usual.of(
                peers.stream().filter(of -> of.driftDbPerDay().isPresent()).toList(),
                of -> of.driftDbPerDay().orElse(0));
        Usual decades =
                Usual.of(peers.stream().filter(of -> of.bitErrors().isPresent()).toList(), Whole::decades);
        return switches.stream()
                // where light enters the switch too weakly, what comes out of it says nothing of the switch
                .filter(of ->
                        2 * worse.stream().filter(of::has).count() < of.ports().size())
                .flatMap(of -> ageing(of, of.riseDb(alone), rises, drifts, decades).stream())
                .toList();
    }

    private Optional<Finding> ageing(Whole of, double rise, Usual rises, Usual drifts, Usual decades) {
        if (rises.exceeded(rise, limit(policy.lossAboveBaselineDb(), of.place()))) {
            return found(of.place(), Finding.Why.SWITCH_LOSS, rise, rises.told());
        }
        double drift = of.driftDbPerDay().orElse(0);
        if (drifts(of.place(), rise, drift, drifts)) {
            return found(of.place(), Finding.Why.SWITCH_DRIFT, drift, drifts.told());
        }
        return errs(of.place(), of.bitErrors(), decades)
                ? found(
                        of.place(),
                        Finding.Why.SWITCH_BIT_ERRORS,
                        of.bitErrors().orElse(0),
                        ratio(decades))
                : Optional.empty();
    }

    /**
     * @param usual among its peers
     * @param ofAll the same of all switches
     */
    private Optional<Finding> finding(Port port, AllUsual usual, AllUsual ofAll) {
        Usual rises = usual.rises(port);
        double rise = port.riseDb();
        double limit = limit(policy.lossAboveBaselineDb(), port.place());
        // one that fails while its switch begins to age is as bad as one of a switch that does not
        boolean beside = ofAll.rises(port).exceeded(rise, limit) && rises.exceeded(rise, limit / 2);
        if (beside || rises.exceeded(rise, limit)) {
            Finding.Why why = port.fromFactory() ? Finding.Why.FACTORY_LOSS : Finding.Why.LOSS;
            return found(port.place(), why, rise, rises.told());
        }
        double drift = port.history().driftDbPerDay().orElse(0);
        if (drifts(port.place(), rise, drift, usual.drifts())) {
            return found(port.place(), Finding.Why.DRIFT, drift, usual.drifts().told());
        }
        return errs(port.place(), port.bitErrors(), usual.decades())
                ? found(port.place(), Finding.Why.BIT_ERRORS, port.bitErrors().orElse(0), ratio(usual.decades()))
                : Optional.empty();
    }

    private boolean drifts(Place place, double rise, double drift, Usual usual) {
        return rise >= LEAST_RISE_DB && usual.exceeded(drift, limit(policy.driftDbPerDay(), place));
    }

    private boolean errs(Place place, OptionalDouble bitErrors, Usual decades) {
        return policy.bitErrorRatio() > 0
                && bitErrors.orElse(0) > limit(policy.bitErrorRatio(), place)
                && (!decades.known() || decades(bitErrors) - decades.median() >= DECADES);
    }

    private static OptionalDouble ratio(Usual decades) {
        return decades.known() ? OptionalDouble.of(Math.pow(10, decades.median())) : OptionalDouble.empty();
    }

    private Optional<Finding> found(Place place, Finding.Why why, double amount, OptionalDouble usual) {
        return Optional.of(new Finding(place, why, amount, usual, now));
    }
}
