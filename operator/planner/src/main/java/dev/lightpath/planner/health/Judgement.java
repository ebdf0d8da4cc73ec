package dev.lightpath.planner.health;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Which ports degrade among their peers. A port exceeds a limit if it is worse than the median of its peers by the
 * limit, and by three standard deviations of what is usual among them. So a launch that is weak for all, or a hot day,
 * blames no port. Fewer than {@link #FEWEST_PEERS} ports have no median: each is judged alone. Peers of a circuit that
 * was worse from the beginning are those of which a factory table tells: what a plant costs beside it they all lose.
 */
final class Judgement {
    static final int FEWEST_PEERS = 4;
    /** A drift of less than this has not been seen yet: levels are told in steps. */
    static final double LEAST_RISE_DB = 0.5;

    private static final double SIGMAS = 3;
    private static final double FEWEST_BIT_ERRORS = 1e-15;
    /** A port with errors must have three times as many as its peers. */
    private static final double DECADES = 0.5;

    private record Port(Place place, PortHistory history, Optional<Finding> before) {
        double decades() {
            return Math.log10(Math.max(FEWEST_BIT_ERRORS, bitErrors().orElse(0)));
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

        double limit(double limit) {
            return before.isPresent() ? limit / 2 : limit;
        }
    }

    /** What is usual among peers. */
    private record Usual(double median, double sigma, boolean known) {
        static Usual of(List<Port> ports, ToDoubleFunction<Port> value) {
            double[] values = ports.stream().mapToDouble(value).toArray();
            if (values.length < FEWEST_PEERS) {
                return new Usual(0, 0, false);
            }
            double median = Median.of(values);
            return new Usual(median, Median.sigma(values, median), true);
        }

        boolean exceeded(double value, double limit) {
            return limit > 0 && value - median >= limit && value - median >= SIGMAS * sigma;
        }

        OptionalDouble told() {
            return known ? OptionalDouble.of(median) : OptionalDouble.empty();
        }
    }

    private final HealthPolicy policy;
    private final Instant now;
    private final SortedMap<String, List<Port>> groups = new TreeMap<>();

    Judgement(HealthPolicy policy, Instant now) {
        this.policy = policy;
        this.now = now;
    }

    /** @param before what was found of it until now */
    void port(String peers, Place place, PortHistory history, Optional<Finding> before) {
        groups.computeIfAbsent(peers, group -> new ArrayList<>()).add(new Port(place, history, before));
    }

    /** O(ports log ports). */
    SortedMap<Place, Finding> findings() {
        SortedMap<Place, Finding> findings = new TreeMap<>();
        for (List<Port> ports : groups.values()) {
            Usual rises = Usual.of(ports, port -> port.history().riseDb());
            Usual excesses = Usual.of(
                    ports.stream().filter(Port::promised).toList(),
                    port -> port.history().riseDb());
            List<Port> drifting = ports.stream()
                    .filter(port -> port.history().driftDbPerDay().isPresent())
                    .toList();
            Usual drifts =
                    Usual.of(drifting, port -> port.history().driftDbPerDay().orElse(0));
            List<Port> counting =
                    ports.stream().filter(port -> port.bitErrors().isPresent()).toList();
            Usual decades = Usual.of(counting, Port::decades);
            for (Port port : ports) {
                finding(port, port.fromFactory() ? excesses : rises, drifts, decades)
                        .map(found -> port.before().map(found::after).orElse(found))
                        .ifPresent(found -> findings.put(port.place(), found));
            }
        }
        return findings;
    }

    private Optional<Finding> finding(Port port, Usual rises, Usual drifts, Usual decades) {
        double rise = port.history().riseDb();
        if (rises.exceeded(rise, port.limit(policy.lossAboveBaselineDb()))) {
            Finding.Why why = port.fromFactory() ? Finding.Why.FACTORY_LOSS : Finding.Why.LOSS;
            return found(port, why, rise, rises.told());
        }
        double drift = port.history().driftDbPerDay().orElse(0);
        if (rise >= LEAST_RISE_DB && drifts.exceeded(drift, port.limit(policy.driftDbPerDay()))) {
            return found(port, Finding.Why.DRIFT, drift, drifts.told());
        }
        double errors = port.bitErrors().orElse(0);
        boolean manyErrors = policy.bitErrorRatio() > 0
                && errors > port.limit(policy.bitErrorRatio())
                && (!decades.known() || port.decades() - decades.median() >= DECADES);
        OptionalDouble usual =
                decades.known() ? OptionalDouble.of(Math.pow(10, decades.median())) : OptionalDouble.empty();
        return manyErrors ? found(port, Finding.Why.BIT_ERRORS, errors, usual) : Optional.empty();
    }

    private Optional<Finding> found(Port port, Finding.Why why, double amount, OptionalDouble usual) {
        return Optional.of(new Finding(port.place(), why, amount, usual, now));
    }
}
