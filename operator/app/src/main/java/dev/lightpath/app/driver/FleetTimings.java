package dev.lightpath.app.driver;

import java.time.Duration;

/**
 * Timings of the fleet.
 *
 * @param heartbeat longest silence requested of a driver's stream
 * @param silence after which a driver counts as unreachable; several heartbeats
 * @param firstRetry before the first attempt to reach a lost driver again, doubled at each attempt
 * @param lastRetry the longest wait between attempts
 * @param ask deadline of a query: driver info, operation, circuits
 * @param apply deadline of a change, after which its operation is queried
 * @param resolve how long an operation is queried before its outcome counts as indeterminate
 * @param settle how long the stream may lag behind an answer before the devices are listed again; also how long a
 *     driver that has just started may take to read its devices before those it has not read count as silent
 * @param recheck how often the operator checks whether devices of another role have been transferred to its own
 */
public record FleetTimings(
        Duration heartbeat,
        Duration silence,
        Duration firstRetry,
        Duration lastRetry,
        Duration ask,
        Duration apply,
        Duration resolve,
        Duration settle,
        Duration recheck) {
    public FleetTimings {
        if (silence.compareTo(heartbeat) <= 0) {
            throw new IllegalArgumentException(
                    "silence " + silence + " would end the stream before a heartbeat of " + heartbeat);
        }
        if (firstRetry.isNegative() || firstRetry.isZero() || lastRetry.compareTo(firstRetry) < 0) {
            throw new IllegalArgumentException("retries from " + firstRetry + " to " + lastRetry
                    + "; the first must be positive and at most the last");
        }
    }

    /**
     * Of node agents, of which there are thousands: they are heard less often, and called again less often. What is
     * waited for is as long as it was.
     */
    FleetTimings ofAgents() {
        return new FleetTimings(
                heartbeat.multipliedBy(5),
                silence.multipliedBy(5),
                firstRetry,
                lastRetry.multipliedBy(3),
                ask,
                apply,
                resolve,
                settle,
                recheck.multipliedBy(10));
    }

    public static FleetTimings standard() {
        return new FleetTimings(
                Duration.ofSeconds(2),
                Duration.ofSeconds(7),
                Duration.ofMillis(200),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                Duration.ofSeconds(60),
                Duration.ofSeconds(2),
                Duration.ofSeconds(30));
    }
}
