package dev.lightpath.planner.light;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A driver server as last heard.
 *
 * @param contact whether its stream is alive and complete; when it is not, {@code devices} holds what was last known
 *     and nothing may be concluded or changed
 * @param problem what stands in the way, for a person
 * @param name and version as it names itself
 * @param highestEpoch the highest fencing epoch it reports for our role, 0 when it has none; {@link Long#MAX_VALUE} for
 *     all from there on: none of ours will be above it
 * @param devices by the driver's name for them
 * @param plaintext whether it is spoken to without TLS
 */
public record DriverState(
        Contact contact,
        Optional<String> problem,
        String name,
        String version,
        long highestEpoch,
        SortedMap<String, DeviceState> devices,
        boolean plaintext) {

    /** A driver that is spoken to by TLS. */
    public DriverState(
            Contact contact,
            Optional<String> problem,
            String name,
            String version,
            long highestEpoch,
            SortedMap<String, DeviceState> devices) {
        this(contact, problem, name, version, highestEpoch, devices, false);
    }

    /** How we stand with a driver. */
    public enum Contact {
        /** The stream is synced: what is known is what is. */
        SYNCED,
        UNREACHABLE,
        AUTHENTICATION_FAILED,
        CONTRACT_MISMATCH,
        /** It has seen a higher epoch than ours: somebody else leads, or led while we slept. */
        STALE_EPOCH,
        /** Another role holds the device until an administrator transfers it. */
        FOREIGN_ROLE
    }

    public DriverState {
        devices = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(devices));
    }

    public boolean synced() {
        return contact == Contact.SYNCED;
    }

    /** Whether an epoch of ours can be above this one, which has no sign. */
    public static boolean raisable(long epoch) {
        return epoch >= 0 && epoch < Long.MAX_VALUE;
    }

    /** A driver that was never heard. */
    public static DriverState unheard(String problem) {
        return new DriverState(Contact.UNREACHABLE, Optional.of(problem), "", "", 0, new TreeMap<>());
    }
}
