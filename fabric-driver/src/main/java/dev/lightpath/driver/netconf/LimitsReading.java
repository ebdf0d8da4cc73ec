package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.ToldOnce;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a switch for the limits of its alarms. The switch can be controlled without them, so what cannot be used costs a
 * line of the log and nothing else. It outlives sessions. Not safe for use by many threads.
 */
final class LimitsReading {
    private static final Logger LOG = LoggerFactory.getLogger(LimitsReading.class);

    /** A switch that ended a session at this question is left alone with it for so long. */
    private static final Duration LEFT_ALONE = Duration.ofHours(1);

    private static final String UNUSED = "its limits of receive power raise no alarms: ";

    private final String device;
    private final ToldOnce told;
    /** Whether the last question was answered: then a session that ends at the next one ended for another reason. */
    private boolean answered;

    private boolean leftAlone;
    private long leftAloneNanos;

    /** @param told lines about this switch */
    LimitsReading(String device, ToldOnce told) {
        this.device = device;
        this.told = told;
    }

    /**
     * None where the switch does not tell them.
     *
     * @throws LostException when the session ended; the next one is not asked, unless the switch has answered before
     */
    PowerLimits of(OpticalSwitch asked, PortLayout layout) throws LostException {
        if (leftAlone && System.nanoTime() - leftAloneNanos < LEFT_ALONE.toNanos()) {
            return PowerLimits.NONE;
        }
        try {
            PowerLimits limits = asked.limits(layout);
            if (!limits.leftOut().isEmpty()) {
                tell("a limit of receive power is left out: " + limits.leftOut());
            }
            return answered(limits);
        } catch (RefusedException untold) {
            tell(UNUSED + untold.getMessage());
            return answered(PowerLimits.NONE);
        } catch (LostException lost) {
            if (!answered) {
                leftAlone = true;
                leftAloneNanos = System.nanoTime();
                tell(UNUSED + "the session ended when they were asked for: " + lost.getMessage());
            }
            answered = false;
            throw lost;
        }
    }

    private PowerLimits answered(PowerLimits limits) {
        answered = true;
        leftAlone = false;
        return limits;
    }

    private void tell(String line) {
        if (told.isNew(line)) {
            LOG.atWarn().addKeyValue("device", device).log(line);
        }
    }
}
