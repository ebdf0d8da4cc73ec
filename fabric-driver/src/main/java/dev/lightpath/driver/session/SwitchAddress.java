package dev.lightpath.driver.session;

import java.time.Duration;

/**
 * A switch that the driver connects to.
 *
 * @param id name of the device
 * @param poll time after which it is asked again, if it told of nothing
 * @param opener connects to it
 */
public record SwitchAddress(String id, Duration poll, Opener opener) {
    /** Connects to a switch. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Connects, and learns what the switch is.
         *
         * @param event to be run when the switch tells of anything; returns at once
         * @throws LostException when it cannot be reached, or is not as described
         * @throws RefusedException when it refuses a question that every such switch answers
         */
        SwitchSession open(Runnable event) throws LostException, RefusedException;
    }
}
