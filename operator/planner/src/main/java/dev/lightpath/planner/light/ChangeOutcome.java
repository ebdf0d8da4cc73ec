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
        INVALID,
        /** The device is not as the change was planned on, or a port may not be used now. */
        STATE_DIFFERS,
        /** The driver has no such device, or the fleet no such driver. */
        NO_SUCH_DEVICE,
        /** The device answered and refused. */
        DEVICE_REFUSED,
        /** The device does not answer its driver; it was not commanded. */
        DEVICE_SILENT,
        /** The driver's state is not known now; it was not called. */
        DRIVER_UNREACHABLE,
        /** Another operation is in flight on the device. */
        IN_FLIGHT,
        /** The driver has too much to do, or no disk space to store it. */
        BUSY,
        /** A higher epoch has written. */
        STALE_EPOCH,
        /** Another role holds the device until an administrator transfers it. */
        FOREIGN_ROLE,
        /** Our certificate does not grant this on the device. */
        NOT_AUTHORISED
    }
}
