package dev.lightpath.planner.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one port received since its light came this way. The baseline is the level soon after the circuit was made. A
 * level that stays better for a minute becomes the baseline: a connector was cleaned.
 *
 * @param began when light first came this way
 * @param baselineDb the level that losses are counted from
 * @param last the present reading; empty while there is none
 * @param lastDb the last level
 * @param better since when the level is above the baseline, with the lowest level since
 */
record PortHistory(
        String path,
        Instant began,
        double baselineDb,
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
                reading.levelDb(),
                Optional.of(reading),
                reading.levelDb(),
                Optional.empty(),
                Trend.begins(now, reading.levelDb()));
    }

    /** While nothing is measured the baseline is remembered: the same light may come back. */
    PortHistory unmeasured() {
        return last.isEmpty()
                ? this
                : new PortHistory(path, began, baselineDb, Optional.empty(), lastDb, better, trend);
    }

    PortHistory and(Instant now, Reading reading) {
        if (!reading.path().equals(path)) {
            return begins(now, reading);
        }
        double level = reading.levelDb();
        if (now.isBefore(began.plus(SETTLING))) {
            return new PortHistory(
                    path, began, level, Optional.of(reading), level, Optional.empty(), Trend.begins(now, level));
        }
        // what was measured before held until now
        double baseline = better.filter(since -> !now.isBefore(since.at().plus(LASTING)))
                .map(Trend.Sample::levelDb)
                .orElse(baselineDb);
        Optional<Trend.Sample> above = level <= baseline
                ? Optional.empty()
                : better.filter(since -> since.levelDb() > baseline)
                        .map(since -> new Trend.Sample(since.at(), Math.min(since.levelDb(), level)))
                        .or(() -> Optional.of(new Trend.Sample(now, level)));
        Trend until = level != lastDb ? trend.and(now.minusMillis(1), lastDb) : trend;
        return new PortHistory(path, began, baseline, Optional.of(reading), level, above, until.and(now, level));
    }

    /** Loss above the baseline in dB; 0 where light is better. */
    double riseDb() {
        return Math.max(0, baselineDb - lastDb);
    }

    OptionalDouble driftDbPerDay() {
        return trend.lossDbPerDay();
    }

    PortHistory moved(Duration by) {
        return new PortHistory(
                path, began.plus(by), baselineDb, last, lastDb, better.map(since -> since.moved(by)), trend.moved(by));
    }
}
