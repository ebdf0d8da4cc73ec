package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.EndingQuestion;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.ToldOnce;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a switch for the limits of its alarms. The switch can be controlled without them, so what cannot be used costs a
 * line of the log and nothing else. It outlives sessions. Not safe for use by many threads.
 */
final class LimitsReading {
    private static final Logger LOG = LoggerFactory.getLogger(LimitsReading.class);

    private static final String UNUSED = "its limits of receive power are not read: ";

    /** Asks the switch. */
    interface Question {
        PowerLimits ask() throws LostException, RefusedException;
    }

    private final String device;
    private final ToldOnce told;
    private final EndingQuestion question;
    /** What the switch told last. */
    private PowerLimits known = PowerLimits.NONE;
    /** @param told lines about this switch */
    LimitsReading(String device, ToldOnce told, LongSupplier nanoTime) {
        this.device = device;
        this.told = told;
        this.question = new EndingQuestion(nanoTime);
    }

    /** A session has begun. */
    void begin() {
        question.begin();
    }

    /**
     * What the switch told last, where it is left alone with the question; none where it refuses to tell them.
     *
     * @throws LostException when the session ended; after two in a row the next ones are not asked
     */
    PowerLimits of(OpticalSwitch asked, PortLayout layout) throws LostException {
        return of(() -> asked.limits(layout));
    }

    PowerLimits of(Question asked) throws LostException {
        if (question.isLeftAlone()) {
            return known;
        }
        try {
            PowerLimits limits = asked.ask();
            if (!limits.leftOut().isEmpty()) {
                tell("a limit of receive power is left out: " + limits.leftOut());
            }
            return answered(limits);
        } catch (RefusedException untold) {
            tell(UNUSED + untold.getMessage());
            return answered(PowerLimits.NONE);
        } catch (LostException lost) {
            if (question.ended()) {
                tell(UNUSED + "the session ended when they were asked for: " + lost.getMessage());
            }
            throw lost;
        }
    }

    private PowerLimits answered(PowerLimits limits) {
        question.answered();
        known = limits;
        return limits;
    }

    private void tell(String line) {
        if (told.isNew(line)) {
            LOG.atWarn().addKeyValue("device", device).log(line);
        }
    }
}
