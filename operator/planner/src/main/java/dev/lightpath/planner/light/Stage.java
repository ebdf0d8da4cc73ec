package dev.lightpath.planner.light;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Changes started together, one a device. The unit that is in flight: until its outcome is known its devices are locked
 * for planning.
 *
 * @param id names the transaction for idempotency
 * @param role whose light it is: fencing epochs compare within a role
 * @param cause why light moves, for people and metrics
 * @param changes at most one a device, in order of devices
 */
public record Stage(StageId id, String role, Cause cause, List<DeviceChange> changes) {
    /** Why light moves. */
    public enum Cause {
        PLACE,
        REPAIR,
        /** Jobs that allow it make room for what is wanted. */
        COMPACT,
        RELEASE,
        /** Light is not as recorded: power was lost, someone meddled, an earlier change half failed. */
        CORRECT;

        /** Whether somebody waits for the light that it brings. */
        public boolean bringsLight() {
            return this == PLACE || this == REPAIR;
        }
    }

    public Stage {
        changes = List.copyOf(changes);
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("stage " + id + " changes nothing");
        }
        if (changes.stream().map(DeviceChange::device).distinct().count() != changes.size()) {
            throw new IllegalArgumentException("stage " + id + " changes a device twice: " + changes);
        }
    }

    public SortedSet<DeviceId> devices() {
        SortedSet<DeviceId> devices = new TreeSet<>();
        changes.forEach(change -> devices.add(change.device()));
        return devices;
    }
}
