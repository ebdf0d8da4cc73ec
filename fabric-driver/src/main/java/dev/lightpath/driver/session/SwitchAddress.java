package dev.lightpath.driver.session;

import java.time.Duration;

/**
 * A switch, and the way to it.
 *
 * @param id name of the device
 * @param poll time after which it is asked again, if it told of nothing
 * @param first how long a driver that starts waits for it
 * @param opener connects to it
 */
public record SwitchAddress(String id, Duration poll, Duration first, Opener opener) {
    /** Of a switch that the driver connects to: an attempt ends by itself. */
    private static final Duration ATTEMPT = Duration.ofMinutes(1);

    public SwitchAddress(String id, Duration poll, Opener opener) {
        this(id, poll, ATTEMPT, opener);
    }

    /** Connects to a switch. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Connects, or waits until the switch has connected, and learns what it is.
         *
         * @param event to be run when the switch tells of anything; returns at once
         * @throws LostException when it cannot be reached, or is not as described
         * @throws RefusedException when it refuses a question that every such switch answers
         */
        SwitchSession open(Runnable event) throws LostException, RefusedException, InterruptedException;
    }
}
