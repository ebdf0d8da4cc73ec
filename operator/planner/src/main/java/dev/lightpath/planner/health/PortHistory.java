package dev.lightpath.planner.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one port received since its light came this way. The baseline is the level soon after the circuit was made, or
 * what the factory measured if that is better. A level that stays better for a minute becomes the baseline: a connector
 * was cleaned.
 *
 * @param began when light first came this way
 * @param last the present reading; empty while there is none
 * @param lastDb the last level
 * @param better since when the level is above the baseline, with the lowest level since
 */
record PortHistory(
        String path,
        Instant began,
        Baseline baseline,
        Optional<Reading> last,
        double lastDb,
        Optional<Trend.Sample> better,
        Trend trend) {
    /** So long after light came first its level is still settling. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private static final Duration LASTING = Duration.ofMinutes(1);

    static PortHistory begins(Instant now, Reading reading) {
        return new PortHistory(
                reading.path(),
                now,
                Baseline.first(reading),
                Optional.of(reading),
                reading.levelDb(),
                Optional.empty(),
                Trend.begins(now, reading.levelDb()));
    }

    /** While nothing is measured the baseline is remembered: the same light may come back. */
    PortHistory unmeasured() {
        return last.isEmpty() ? this : new PortHistory(path, began, baseline, Optional.empty(), lastDb, better, trend);
    }

    PortHistory and(Instant now, Reading reading) {
        if (!reading.path().equals(path)) {
            return begins(now, reading);
        }
        double level = reading.levelDb();
        if (now.isBefore(began.plus(SETTLING))) {
            return new PortHistory(
                    path,
                    began,
                    Baseline.first(reading),
                    Optional.of(reading),
                    level,
                    Optional.empty(),
                    Trend.begins(now, level));
        }
        // what was measured before held until now
        Baseline from = better.filter(since -> !now.isBefore(since.at().plus(LASTING)))
                .map(since -> new Baseline(since.levelDb(), Baseline.Source.MEASURED))
                .orElse(baseline);
        Optional<Trend.Sample> above = level <= from.levelDb()
                ? Optional.empty()
                : better.filter(since -> since.levelDb() > from.levelDb())
                        .map(since -> new Trend.Sample(since.at(), Math.min(since.levelDb(), level)))
                        .or(() -> Optional.of(new Trend.Sample(now, level)));
        Trend until = level != lastDb ? trend.and(now.minusMillis(1), lastDb) : trend;
        return new PortHistory(path, began, from, Optional.of(reading), level, above, until.and(now, level));
    }

    /**
     * Whether a person who declared the port healthy at a moment meant what is known here, or its factory's promise.
     */
    boolean isMeant(Instant moment) {
        return began.isBefore(moment) || baseline.source() == Baseline.Source.FACTORY;
    }

    /** A person declared the port healthy as it is. Empty where nothing is measured: what comes then begins anew. */
    Optional<PortHistory> accepted(Instant moment) {
        return last.map(reading -> new PortHistory(
                path,
                moment,
                new Baseline(lastDb, Baseline.Source.MEASURED),
                last,
                lastDb,
                Optional.empty(),
                Trend.begins(moment, lastDb)));
    }

    /** Loss above the baseline in dB; 0 where light is better. */
    double riseDb() {
        return Math.max(0, baseline.levelDb() - lastDb);
    }

    /** The same by another reading; 0 of light that comes another way. */
    double lossDb(Reading reading) {
        return reading.path().equals(path) ? Math.max(0, baseline.levelDb() - reading.levelDb()) : 0;
    }

    OptionalDouble driftDbPerDay() {
        return trend.lossDbPerDay();
    }

    PortHistory moved(Duration by) {
        return new PortHistory(
                path, began.plus(by), baseline, last, lastDb, better.map(since -> since.moved(by)), trend.moved(by));
    }
}
