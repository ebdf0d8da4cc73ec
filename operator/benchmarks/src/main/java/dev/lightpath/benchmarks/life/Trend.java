package dev.lightpath.benchmarks.life;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One figure over time. It grows if the mean of its last third is above the mean of its middle third by more than 5 %
 * and by more than its allowance. The first third is warm-up. Apart from that it may have a limit.
 */
final class Trend {
    /** Too few samples say nothing of thirds. */
    static final int FEWEST = 6;

    private static final double SHARE = 0.05;

    private record Point(Instant at, double value) {}

    private final String what;
    private final double allowance;
    private final double limit;
    private final List<Point> points = new ArrayList<>();

    /**
     * @param allowance what the figure may rise besides, in its own unit; infinite where it may grow until its limit
     * @param limit that it may never exceed, in the same unit; infinite where there is none
     */
    Trend(String what, double allowance, double limit) {
        this.what = what;
        this.allowance = allowance;
        this.limit = limit;
    }

    void add(Instant at, double value) {
        points.add(new Point(at, value));
    }

    /** The same with the samples of a time alone: from its begin until before its end. */
    Trend within(Instant begin, Instant end) {
        Trend part = new Trend(what, allowance, limit);
        points.stream()
                .filter(point -> !point.at().isBefore(begin) && point.at().isBefore(end))
                .forEach(part.points::add);
        return part;
    }

    /** The largest value, 0 without samples. */
    double most() {
        return points.stream().mapToDouble(Point::value).max().orElse(0);
    }

    boolean grows() {
        double before = mean(1);
        double rise = mean(2) - before;
        return points.size() >= FEWEST && rise > SHARE * before && rise > allowance;
    }

    /** Whether it grows, was above its limit, or has too few samples to tell. */
    boolean isWrong() {
        return grows() || most() > limit || isUntold();
    }

    private boolean isUntold() {
        return Double.isFinite(allowance) && points.size() < FEWEST;
    }

    /** By least squares over the last two thirds; 0 with fewer than two samples. */
    double slopePerHour() {
        List<Point> late = points.subList(points.size() / 3, points.size());
        if (late.size() < 2) {
            return 0;
        }
        Instant zero = late.getFirst().at();
        double[] hours = late.stream()
                .mapToDouble(point -> Duration.between(zero, point.at()).toMillis() / 3.6e6)
                .toArray();
        double meanHours = Arrays.stream(hours).average().orElse(0);
        double meanValue = late.stream().mapToDouble(Point::value).average().orElse(0);
        double above = 0;
        double below = 0;
        for (int i = 0; i < hours.length; i++) {
            above += (hours[i] - meanHours) * (late.get(i).value() - meanValue);
            below += (hours[i] - meanHours) * (hours[i] - meanHours);
        }
        return below == 0 ? 0 : above / below;
    }

    private double mean(int third) {
        return points.subList(points.size() * third / 3, points.size() * (third + 1) / 3).stream()
                .mapToDouble(Point::value)
                .average()
                .orElse(0);
    }

    /** A row: means of the thirds, the largest, the slope, and the verdict. */
    String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %s / %s / %s | %s | %+.1f | %s |%n",
                what,
                figure(mean(0)),
                figure(mean(1)),
                figure(mean(2)),
                figure(most()),
                slopePerHour(),
                verdict());
    }

    private String verdict() {
        if (most() > limit) {
            return "ABOVE " + figure(limit);
        }
        if (Double.isInfinite(allowance)) {
            return Double.isInfinite(limit) ? "" : "below " + figure(limit);
        }
        return isUntold() ? "too few samples" : grows() ? "GROWS" : "flat";
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 && value % 1 != 0 ? "%.1f" : "%.0f", value);
    }
}
