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
 * @param highestEpoch the highest fencing epoch it reports for our role, 0 when it has none
 * @param devices by the driver's name for them
 */
public record DriverState(
        Contact contact,
        Optional<String> problem,
        String name,
        String version,
        long highestEpoch,
        SortedMap<String, DeviceState> devices) {

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

    /** A driver that was never heard. */
    public static DriverState unheard(String problem) {
        return new DriverState(Contact.UNREACHABLE, Optional.of(problem), "", "", 0, new TreeMap<>());
    }
}
