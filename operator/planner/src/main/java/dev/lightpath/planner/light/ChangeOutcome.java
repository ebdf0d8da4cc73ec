package dev.lightpath.planner.light;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a change of one device. */
public sealed interface ChangeOutcome {
    /**
     * Every circuit is as requested, read back from the hardware by the driver.
     *
     * @param digest names the state of the device's circuits now
     * @param switching the time the device itself took, from the request to its last element being in place; zero when
     *     nothing had to move
     */
    record Applied(String digest, Duration switching) implements ChangeOutcome {}

    /**
     * Refused; nothing was changed.
     *
     * @param text for a person: what was refused, where, and what would be allowed
     * @param retryAfter how long the driver asks to wait, where it says so
     */
    record Rejected(Reason reason, String text, Optional<Duration> retryAfter) implements ChangeOutcome {}

    /** The outcome is unknown, or only a part was done: read the device before any further write. */
    record Indeterminate(String text) implements ChangeOutcome {}

    /** Why a change was refused. */
    enum Reason {
        /** The driver does not accept the change itself. */
        INVALID(Advice.NEVER),
        /** The device is not as the change was planned on, or a port may not be used now. */
        STATE_DIFFERS(Advice.PLAN_AGAIN),
        /** The driver has no such device, or the fleet no such driver. */
        NO_SUCH_DEVICE(Advice.PLAN_AGAIN),
        /** The device answered and refused. */
        DEVICE_REFUSED(Advice.PLAN_AGAIN),
        /** The device does not answer its driver; it was not commanded. */
        DEVICE_SILENT(Advice.PLAN_AGAIN),
        /** The driver's state is not known now; it was not called. */
        DRIVER_UNREACHABLE(Advice.BACK_OFF),
        /** Another operation is in flight on the device. */
        IN_FLIGHT(Advice.BACK_OFF),
        /** The driver has too much to do, or no disk space to store it. */
        BUSY(Advice.BACK_OFF),
        /** A higher epoch has written. */
        STALE_EPOCH(Advice.CHECK_LEADERSHIP),
        /** Another role holds the device until an administrator transfers it. */
        FOREIGN_ROLE(Advice.LEAVE_DEVICE),
        /** Our certificate does not grant this on the device. */
        NOT_AUTHORISED(Advice.LEAVE_DEVICE);

        private final Advice advice;

        Reason(Advice advice) {
            this.advice = advice;
        }

        public Advice advice() {
            return advice;
        }
    }

    /** What to do about a refusal. */
    enum Advice {
        /** The same change will be refused for ever. */
        NEVER,
        /** Plan again on what is observed now. */
        PLAN_AGAIN,
        /** The same change may be requested again after a while. */
        BACK_OFF,
        /** Read the Lease again: stop if it is lost, else raise the epoch above the stored one. */
        CHECK_LEADERSHIP,
        /** A person has to act before the operator may use the device; it serves the others. */
        LEAVE_DEVICE
    }
}
