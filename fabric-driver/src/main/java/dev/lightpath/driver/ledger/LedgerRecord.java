package dev.lightpath.driver.ledger;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;

/** One durable fact about a device. The ledger is the fold of its records. */
public sealed interface LedgerRecord {
    String deviceId();

    /** A role has shown this epoch. */
    record EpochRaised(String deviceId, String role, long epoch, String holder) implements LedgerRecord {}

    /** A role holds the device. */
    record Held(String deviceId, String role) implements LedgerRecord {}

    /** A certificate name was the first to write under a role; an empty name: none is any more. */
    record Claimed(String deviceId, String role, String name) implements LedgerRecord {}

    /** In a snapshot: the highest generation of an operation of a role, which may be forgotten by now. */
    record GenerationShown(String deviceId, String role, long generation) implements LedgerRecord {}

    /** An operation was admitted, or (in a snapshot) is remembered. */
    record Admitted(String deviceId, StoredOperation stored) implements LedgerRecord {}

    /** An admitted operation ended, was confirmed, rolled back or resolved. */
    record Updated(String deviceId, Operation operation) implements LedgerRecord {}

    /** An operation made this circuit. */
    record Owned(String deviceId, CircuitPair pair, CircuitOwner owner) implements LedgerRecord {}

    /**
     * An override of a port.
     *
     * @param mayBeShut whether its shutter is closed, or was asked to close by a call that was not answered
     */
    record Overridden(String deviceId, String port, PortOverride override, String reason, boolean mayBeShut)
            implements LedgerRecord {}

    /** The adapter described the device. */
    record Described(String deviceId, DeviceDescription description) implements LedgerRecord {}

    /** The adapter no longer has the device. */
    record Forgotten(String deviceId) implements LedgerRecord {}
}
