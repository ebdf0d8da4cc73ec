package dev.lightpath.planner.health;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How a level changes over days: at most {@link #MOST} samples, whose distance doubles as time goes on, up to half a
 * day. The slope is the median of the slopes of all pairs (Theil 1950, Sen 1968), which a quarter of wrong samples does
 * not move.
 *
 * @param samples in order of time
 * @param spacing between samples, at least
 */
record Trend(List<Sample> samples, Duration spacing) {
    static final int MOST = 16;
    /** A level follows the temperature of day and night: less than a day says nothing. */
    static final Duration SHORTEST = Duration.ofDays(1);

    private static final Duration FIRST_SPACING = Duration.ofMinutes(15);
    private static final Duration LAST_SPACING = Duration.ofHours(12);
    private static final double SECONDS_OF_A_DAY = 86_400;

    record Sample(Instant at, double levelDb) {
        Sample moved(Duration by) {
            return new Sample(at.plus(by), levelDb);
        }
    }

    Trend {
        samples = List.copyOf(samples);
    }

    static Trend begins(Instant now, double levelDb) {
        return new Trend(List.of(new Sample(now, levelDb)), FIRST_SPACING);
    }

    /** This trend with a level of now; the same where the last sample is too near. */
    Trend and(Instant now, double levelDb) {
        if (now.isBefore(samples.getLast().at().plus(spacing))) {
            return this;
        }
        List<Sample> all = new ArrayList<>(samples);
        all.add(new Sample(now, levelDb));
        if (all.size() <= MOST) {
            return new Trend(all, spacing);
        }
        if (spacing.compareTo(LAST_SPACING) >= 0) {
            return new Trend(all.subList(1, all.size()), spacing);
        }
        List<Sample> thinned = new ArrayList<>();
        for (int at = 0; at < all.size(); at += 2) {
            thinned.add(all.get(at));
        }
        return new Trend(thinned, spacing.multipliedBy(2));
    }

    /** Loss that is added each day, in dB; empty before a day has passed. O({@link #MOST} squared). */
    OptionalDouble lossDbPerDay() {
        Instant first = samples.getFirst().at();
        if (Duration.between(first, samples.getLast().at()).compareTo(SHORTEST) < 0) {
            return OptionalDouble.empty();
        }
        double[] slopes = new double[samples.size() * (samples.size() - 1) / 2];
        int count = 0;
        for (int one = 0; one < samples.size(); one++) {
            for (int other = one + 1; other < samples.size(); other++) {
                double seconds = Duration.between(
                                        samples.get(one).at(),
                                        samples.get(other).at())
                                .toMillis()
                        / 1000.0;
                double loss = samples.get(one).levelDb() - samples.get(other).levelDb();
                slopes[count++] = loss / seconds * SECONDS_OF_A_DAY;
            }
        }
        return OptionalDouble.of(Median.of(slopes));
    }

    Trend moved(Duration by) {
        return new Trend(samples.stream().map(sample -> sample.moved(by)).toList(), spacing);
    }
}
