package dev.lightpath.app.loop;

import java.time.Duration;

/** How long the loop waits for more before it passes again, in the measure of what a pass takes. Not for use by several threads. */
final class Pace {
    /**
     * After everything that is due was started the loop waits for its outcome, so that this does not come in the middle of a
     * pass which has nothing to start; after four times what the last pass took, within these bounds, it tells how things stand.
     * So long it also leaves alone what only shows that something is under way.
     */
    private static final Duration LEAST_UNDER_WAY = Duration.ofMillis(100);

    private static final Duration MOST_UNDER_WAY = Duration.ofMillis(500);

    /**
     * Answers of devices but the last of a stage wait for as long as the last pass took, within these bounds: they come one by one,
     * and a pass for each would leave the devices no processor. So does light that comes up soon after. Outcomes other than success
     * are never held back, and alarms of devices only while records are being written ({@link PlanningLoop#BEING_WRITTEN}).
     */
    private static final Duration LEAST_GATHERING = Duration.ofMillis(5);

    private static final Duration MOST_GATHERING = Duration.ofMillis(50);

    /** News of jobs and nodes that come one after the other wait so many times what the last pass took, after its end. */
    private static final int BETWEEN_PASSES = 3;

    private static final Duration MOST_BETWEEN = Duration.ofMillis(250);

    private Duration lastPass = LEAST_GATHERING;
    private long passedNanos = System.nanoTime() - MOST_BETWEEN.toNanos();

    void passed(Duration took) {
        lastPass = took;
        passedNanos = System.nanoTime();
    }

    /**
     * For news that nothing waits for yet: none a while after a pass, so that a single fault is decided at once. Of a
     * thousand jobs that come together many share a pass, and leave the processor to those who bring them.
     */
    Duration afterLast() {
        Duration between = within(Duration.ZERO, lastPass.multipliedBy(BETWEEN_PASSES), MOST_BETWEEN);
        Duration left = between.minusNanos(System.nanoTime() - passedNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** For answers of devices that others of the same stage follow. */
    Duration gathering() {
        return within(LEAST_GATHERING, lastPass, MOST_GATHERING);
    }

    /** For outcomes of what was started. */
    Duration underWay() {
        return within(LEAST_UNDER_WAY, lastPass.multipliedBy(4), MOST_UNDER_WAY);
    }

    private static Duration within(Duration least, Duration time, Duration most) {
        return time.compareTo(least) < 0 ? least : time.compareTo(most) > 0 ? most : time;
    }
}
