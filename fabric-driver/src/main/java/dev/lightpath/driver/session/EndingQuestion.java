package dev.lightpath.driver.session;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A question that a device may answer by ending its session. The device can be controlled without the answer, so it is
 * left alone with the question for a while. It outlives sessions. Not safe for use by many threads.
 */
public final class EndingQuestion {
    /** A cut of the network ends one session at the question. So many in a row are the device's doing. */
    private static final int ENOUGH = 2;

    /** A device that ended sessions so is left alone for so long; then twice as long each time. */
    private static final Duration LEFT_ALONE = Duration.ofHours(1);

    private static final Duration LONGEST = Duration.ofDays(32);

    private final LongSupplier nanoTime;
    /** Sessions that ended so since the last answer. */
    private int ended;

    private long endedNanos;
    private Duration pause = LEFT_ALONE;
    private boolean leftAlone;
    /** Whether the next session is asked, however many ended so. */
    private boolean onceMore;

    public EndingQuestion(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A session has begun: only now a device is asked again that was left alone, so that no session in use is cut. */
    public void begin() {
        leftAlone = ended >= ENOUGH && !onceMore && nanoTime.getAsLong() - endedNanos < pause.toNanos();
    }

    /** Whether this session is not asked. */
    public boolean isLeftAlone() {
        return leftAlone;
    }

    /** The device answered, or refused to. */
    public void answered() {
        ended = 0;
        onceMore = false;
        pause = LEFT_ALONE;
    }

    /**
     * This session was of use without the question, which shows that the network works. Whether the next one is to be
     * asked once more: if that one ends, too, then it is the device's doing. It says so once, so that a device is
     * connected to anew only once for this.
     */
    public boolean asksOnceMore() {
        onceMore = leftAlone && ended == ENOUGH;
        return onceMore;
    }

    /** The session ended. Whether that is the device's doing. */
    public boolean ended() {
        ended++;
        endedNanos = nanoTime.getAsLong();
        if (ended > ENOUGH && !onceMore && pause.compareTo(LONGEST) < 0) {
            pause = pause.multipliedBy(2);
        }
        onceMore = false;
        return ended >= ENOUGH;
    }
}
