package dev.lightpath.planner.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random ports that age, against an oracle that keeps every level and sorts lists. */
class OpticalHealthPropertyTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final HealthPolicy POLICY = new HealthPolicy(HealthPolicy.Mode.OBSERVE, 1.5, 1000, 1);
    private static final int WORLDS = 150;

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get((sorted.size() - 1) / 2);
    }

    /** Levels never get better here, so the baseline is the level at the end of the settling time, or the factory's. */
    private static SortedSet<String> oracle(List<double[]> levels, double[] promised, SortedSet<String> before) {
        double[] first = levels.getFirst().clone();
        for (int port = 0; port < first.length; port++) {
            // NaN: no factory measured it
            first[port] = promised[port] > first[port] ? promised[port] : first[port];
        }
        double[] last = levels.getLast();
        List<Double> rises = new ArrayList<>();
        for (int port = 0; port < first.length; port++) {
            rises.add(first[port] - last[port]);
        }
        SortedSet<String> bad = new TreeSet<>();
        for (int port = 0; port < first.length; port++) {
            // what a plant costs beside a factory table all those lose that the table tells of
            boolean byTable = promised[port] > levels.getFirst()[port];
            List<Double> peers = new ArrayList<>();
            for (int other = 0; other < first.length; other++) {
                if (!byTable || !Double.isNaN(promised[other])) {
                    peers.add(rises.get(other));
                }
            }
            double usual = peers.size() < 4 ? 0 : median(peers);
            double sigma = peers.size() < 4
                    ? 0
                    : 1.4826
                            * median(peers.stream()
                                    .map(rise -> Math.abs(rise - usual))
                                    .toList());
            double limit = before.contains("p" + port) ? 0.75 : 1.5;
            double excess = rises.get(port) - usual;
            if (excess >= limit && excess >= 3 * sigma) {
                bad.add("p" + port);
            }
        }
        return bad;
    }

    @Test
    void findsWhatAnOracleFinds() {
        int found = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            int ports = 1 + random.nextInt(12);
            double[] level = random.doubles(ports, -5, 0).toArray();
            double common = random.nextInt(3) == 0 ? 0.2 : 0;
            double[] ageing = new double[ports];
            double[] promised = new double[ports];
            for (int port = 0; port < ports; port++) {
                ageing[port] = random.nextInt(4) == 0 ? random.nextDouble() : 0;
                promised[port] = random.nextBoolean() ? Double.NaN : level[port] - 1 + 3 * random.nextDouble();
            }
            OpticalHealth health = OpticalHealth.NONE;
            List<double[]> levels = new ArrayList<>();
            SortedSet<String> expected = new TreeSet<>();
            Instant now = START;
            for (int look = 0; look < 20; look++) {
                levels.add(level.clone());
                SortedMap<String, Reading> readings = new TreeMap<>();
                for (int port = 0; port < ports; port++) {
                    readings.put(
                            "p" + port,
                            new Reading(
                                    "",
                                    level[port],
                                    OptionalDouble.empty(),
                                    Double.isNaN(promised[port])
                                            ? OptionalDouble.empty()
                                            : OptionalDouble.of(promised[port])));
                }
                Watched told =
                        new Watched(new Object(), "switch", () -> readings, port -> true, port -> Optional.empty());
                health = health.after(now, new Object(), () -> Map.of("ocs", told), POLICY);
                expected = oracle(levels, promised, expected);
                SortedSet<String> seen = new TreeSet<>();
                health.findings().keySet().forEach(place -> seen.add(place.port()));
                assertThat(seen).as("seed %d, look %d", seed, look).isEqualTo(expected);
                found += seen.size();
                now = now.plus(Duration.ofMinutes(5));
                for (int port = 0; port < ports; port++) {
                    level[port] -= common + ageing[port] * random.nextDouble();
                }
            }
        }
        assertThat(found).isGreaterThan(WORLDS);
    }

    @Test
    void keepsFewSamplesHoweverLongItLooks() {
        Trend trend = Trend.begins(START, 0);
        Random random = new Random(7);
        Instant now = START;
        for (int look = 0; look < 20_000; look++) {
            now = now.plusSeconds(60L * (1 + random.nextInt(120)));
            trend = trend.and(now, -0.2 * Duration.between(START, now).toMinutes() / 1440.0);
            assertThat(trend.samples()).hasSizeLessThanOrEqualTo(Trend.MOST);
        }
        assertThat(trend.lossDbPerDay().orElseThrow()).isBetween(0.1999, 0.2001);
    }

    @Test
    void aQuarterOfWrongSamplesDoesNotMoveTheSlope() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            Trend trend = Trend.begins(START, 0);
            for (int at = 1; at < Trend.MOST; at++) {
                boolean wrong = at % 5 == 2;
                double level = -0.3 * at / 2 + (wrong ? random.nextDouble() * 6 - 3 : 0);
                trend = trend.and(START.plus(Duration.ofHours(12L * at)), level);
            }
            assertThat(trend.lossDbPerDay().orElseThrow()).as("seed %d", seed).isBetween(0.2, 0.4);
        }
    }
}
