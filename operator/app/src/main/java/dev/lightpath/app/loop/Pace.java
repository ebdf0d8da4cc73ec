package dev.lightpath.app.loop;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * How long the loop waits for more before it passes again, in the measure of what a pass takes. Not for use by several
 * threads.
 */
final class Pace {
    /**
     * After everything that is due was started the loop waits for its outcome, so that this does not come in the middle
     * of a pass which has nothing to start; after four times what the last pass took, within these bounds, it tells how
     * things stand. So long it also leaves alone what only shows that something is under way.
     */
    private static final Duration LEAST_UNDER_WAY = Duration.ofMillis(100);

    private static final Duration MOST_UNDER_WAY = Duration.ofMillis(500);

    /**
     * Answers of devices but the last of a stage wait for as long as the last pass took, within these bounds: they come
     * one by one, and a pass for each would leave the devices no processor. So does light that comes up soon after.
     * Outcomes other than success are never held back, and alarms of devices only while records are being written
     * ({@link PlanningLoop#BEING_WRITTEN}).
     */
    private static final Duration LEAST_GATHERING = Duration.ofMillis(5);

    private static final Duration MOST_GATHERING = Duration.ofMillis(50);

    /**
     * While passes take more than this share of the time, what a job asks for and how its change went wait for others.
     * Faults and their repairs never wait for that, and neither does anything while passes are few.
     */
    private static final double BUSY = 0.25;

    /**
     * The same of passes beside which nothing is repaired: those of jobs. A thousand jobs that come together share
     * passes then, and the processor is left to those who bring them. A job that comes after many repairs does not wait
     * for their passes so long.
     */
    private static final double BUSY_WITH_JOBS = 0.1;

    private static final Duration MOST_BETWEEN = Duration.ofSeconds(1);
    /** The share is that of about the last so many seconds. */
    private static final double WINDOW_SECONDS = 2;

    /**
     * While repairs are made nothing is told for this long: most of it would be over before it is written, and its
     * writes would stand beside those that repairs wait for.
     */
    private static final Duration LONGEST_UNTOLD = Duration.ofSeconds(2);

    /**
     * Where each pass finds something to start, as while many jobs start, the loop does not rest: it tells how things
     * stand after this long all the same.
     */
    private static final Duration LONGEST_WITHOUT_REST = Duration.ofSeconds(1);

    private static final double NANOS = 1e9;

    private final LongSupplier nanoTime;
    private Duration lastPass = LEAST_GATHERING;
    private long passedNanos;
    private final Share ofAll;
    private final Share ofJobs;
    /** Since when repairs keep from telling how things stand. */
    private OptionalLong untoldNanos = OptionalLong.empty();

    private long toldNanos;

    /** @param nanoTime of any origin */
    Pace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.passedNanos = nanoTime.getAsLong();
        this.toldNanos = passedNanos;
        this.ofAll = new Share(BUSY, passedNanos);
        this.ofJobs = new Share(BUSY_WITH_JOBS, passedNanos);
    }

    /** @param repairing whether something is repaired meanwhile */
    void passed(Duration took, boolean repairing) {
        long now = nanoTime.getAsLong();
        ofAll.add(took, now);
        if (!repairing) {
            ofJobs.add(took, now);
        }
        lastPass = took;
        passedNanos = now;
    }

    /** For news that may wait for others. */
    Duration whileBusy() {
        long now = nanoTime.getAsLong();
        double seconds = Math.max(ofAll.secondsAbove(now), ofJobs.secondsAbove(now));
        double most = MOST_BETWEEN.minusNanos(now - passedNanos).toNanos() / NANOS;
        return Duration.ofNanos((long) (Math.max(0, Math.min(seconds, most)) * NANOS));
    }

    /**
     * For telling how things stand; zero where it is to be told now.
     *
     * @param repairing whether a repair that began lately is being recorded or carried out
     */
    Duration telling(boolean repairing) {
        long now = nanoTime.getAsLong();
        if (!repairing) {
            untoldNanos = OptionalLong.empty();
            return Duration.ZERO;
        }
        long since = untoldNanos.orElse(now);
        Duration left = LONGEST_UNTOLD.minusNanos(now - since);
        boolean due = !left.isPositive();
        untoldNanos = OptionalLong.of(due ? now : since);
        return due ? Duration.ZERO : left;
    }

    /** It was told how things stand. */
    void told() {
        toldNanos = nanoTime.getAsLong();
    }

    /**
     * Whether to tell it though the loop does not rest.
     *
     * @param repairing as for {@link #telling}
     */
    boolean isSilent(boolean repairing) {
        Duration longest = repairing ? LONGEST_UNTOLD : LONGEST_WITHOUT_REST;
        return nanoTime.getAsLong() - toldNanos >= longest.toNanos();
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

    /** The share of the time that passes take. */
    private static final class Share {
        private final double most;
        private double share;
        private long nanos;

        Share(double most, long nanos) {
            this.most = most;
            this.nanos = nanos;
        }

        void add(Duration took, long now) {
            // one pass alone is not many, however long it takes
            share = Math.min(1, at(now) + Math.min(most / 2, took.toNanos() / NANOS / WINDOW_SECONDS));
            nanos = now;
        }

        private double at(long now) {
            return share * Math.exp((nanos - now) / NANOS / WINDOW_SECONDS);
        }

        /** Until it is no more than that. */
        double secondsAbove(long now) {
            return WINDOW_SECONDS * Math.log(at(now) / most);
        }
    }
}
