package dev.lightpath.planner.light;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Changes started together, one a device. Until the outcome of the stage is known its devices are locked for planning.
 *
 * @param id names the transaction for idempotency
 * @param role owner of the circuits: fencing epochs compare within a role
 * @param cause why circuits change, for people and metrics
 * @param changes at most one a device, in order of devices
 * @param ledgerRevision of the fabric's records, which the devices remember; 0 when it is not known
 */
public record Stage(StageId id, String role, Cause cause, List<DeviceChange> changes, long ledgerRevision) {
    /** Of records whose revision is not known. */
    public Stage(StageId id, String role, Cause cause, List<DeviceChange> changes) {
        this(id, role, cause, changes, 0);
    }

    /** Why circuits change. */
    public enum Cause {
        PLACE,
        REPAIR,
        /** Jobs that allow it move to make room for a waiting job. */
        COMPACT,
        RELEASE,
        /**
         * Circuits are not as recorded: power was lost, another party changed them, or an earlier change was only
         * partly made.
         */
        CORRECT,
        /** A circuit is made on ports that nobody uses, to find where their fibres lead. */
        PROBE;

        /** Whether a job waits for the circuits that it makes. */
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
