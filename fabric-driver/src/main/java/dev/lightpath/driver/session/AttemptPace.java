package dev.lightpath.driver.session;

import java.time.Duration;

/**
 * How long to wait before a device is tried again. Attempts that fail begin ever further apart. One that took longer
 * than that is followed by the next soon: a switch that connects to the driver by itself is never kept waiting.
 */
final class AttemptPace {
    static final Duration LONGEST = Duration.ofSeconds(5);
    private static final Duration FIRST = Duration.ofMillis(100);

    private Duration apart = FIRST;

    /**
     * The pause after an attempt.
     *
     * @param took since it began
     * @param lasted whether its session was of use for a while
     */
    Duration after(Duration took, boolean lasted) {
        Duration wanted = lasted ? FIRST : apart;
        Duration doubled = wanted.multipliedBy(2);
        apart = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        Duration left = wanted.minus(took);
        return left.compareTo(FIRST) < 0 ? FIRST : left;
    }
}
