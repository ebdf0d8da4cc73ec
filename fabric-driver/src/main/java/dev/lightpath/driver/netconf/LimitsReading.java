package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.ToldOnce;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a switch for the limits of its alarms. The switch can be controlled without them, so what cannot be used costs a
 * line of the log and nothing else. It outlives sessions. Not safe for use by many threads.
 */
final class LimitsReading {
    private static final Logger LOG = LoggerFactory.getLogger(LimitsReading.class);

    /** A cut of the network ends one session at this question. So many in a row are the switch's doing. */
    private static final int ENOUGH = 2;

    /**
     * A switch that ended sessions at this question is left alone with it for so long; then twice as long each time.
     */
    private static final Duration LEFT_ALONE = Duration.ofHours(1);

    private static final Duration LONGEST = Duration.ofDays(32);

    private static final String UNUSED = "its limits of receive power are not read: ";

    /** Asks the switch. */
    interface Question {
        PowerLimits ask() throws LostException, RefusedException;
    }

    private final String device;
    private final ToldOnce told;
    private final LongSupplier nanoTime;
    /** What the switch told last. */
    private PowerLimits known = PowerLimits.NONE;
    /** Sessions that ended at this question since it was answered last. */
    private int ended;

    private long endedNanos;
    private Duration pause = LEFT_ALONE;
    /** Whether this session is not asked. */
    private boolean leftAlone;

    /** @param told lines about this switch */
    LimitsReading(String device, ToldOnce told, LongSupplier nanoTime) {
        this.device = device;
        this.told = told;
        this.nanoTime = nanoTime;
    }

    /** A session has begun: only now a switch is asked again that was left alone, so that no session in use is cut. */
    void begin() {
        leftAlone = ended >= ENOUGH && nanoTime.getAsLong() - endedNanos < pause.toNanos();
    }

    /**
     * What the switch told last, where it is left alone with the question; none where it refuses to tell them.
     *
     * @throws LostException when the session ended; after two in a row the next ones are not asked
     */
    PowerLimits of(OpticalSwitch asked, PortLayout layout) throws LostException {
        return of(() -> asked.limits(layout));
    }

    PowerLimits of(Question question) throws LostException {
        if (leftAlone) {
            return known;
        }
        try {
            PowerLimits limits = question.ask();
            if (!limits.leftOut().isEmpty()) {
                tell("a limit of receive power is left out: " + limits.leftOut());
            }
            return answered(limits);
        } catch (RefusedException untold) {
            tell(UNUSED + untold.getMessage());
            return answered(PowerLimits.NONE);
        } catch (LostException lost) {
            ended++;
            endedNanos = nanoTime.getAsLong();
            if (ended >= ENOUGH) {
                tell(UNUSED + "the session ended when they were asked for: " + lost.getMessage());
            }
            if (ended > ENOUGH && pause.compareTo(LONGEST) < 0) {
                pause = pause.multipliedBy(2);
            }
            throw lost;
        }
    }

    private PowerLimits answered(PowerLimits limits) {
        ended = 0;
        pause = LEFT_ALONE;
        known = limits;
        return limits;
    }

    private void tell(String line) {
        if (told.isNew(line)) {
            LOG.atWarn().addKeyValue("device", device).log(line);
        }
    }
}
