package dev.lightpath.planner.light;

import java.util.Locale;

/** Why a slice has no place, or why its light is not complete. */
public enum Reason {
    /** A place was found and is being recorded. */
    RECORDING,
    /** The API server refuses the record of a place that was found. */
    RECORD_REFUSED,
    /** The record is being read. */
    READING,
    /** Circuits are being chosen for the job's traffic. */
    SOLVING,
    /** The job's slice on another fabric comes first. */
    AWAITING_PODS,
    INSUFFICIENT_CAPACITY,
    QUOTA_EXCEEDED,
    INVALID_PARALLELISM,
    INVALID_WIRING,
    FABRIC_KIND_MISMATCH,
    FABRIC_NOT_FOUND,
    SOLVER_FAILED,
    NEWER_FORMAT,
    FABRIC_PAUSED,
    MASS_FAILURE,
    AWAITING_ADOPTION,
    /** Devices were written to under an epoch that this installation never gave. */
    LEDGER_OLDER_THAN_DEVICES,
    /** Devices that records have light on are held by another role. */
    HELD_BY_ANOTHER_ROLE,
    DRIVER_UNREACHABLE,
    /** Circuits are to be made, and nothing is wrong with them. */
    PROGRAMMING,
    /** Circuits are made, and their ends do not hear each other yet. */
    QUALIFYING,
    /** Something has failed, and no repair fits. */
    DEGRADED,
    /** Something has failed, and its repair is not decided yet. */
    FAULT_PENDING,
    RELEASING,
    /** The device refused its last change. */
    REJECTED,
    /** The outcome of the device's last change is not known. */
    INDETERMINATE;

    /** As conditions and pages show it, in CamelCase. */
    public String word() {
        StringBuilder word = new StringBuilder();
        for (String part : name().split("_", -1)) {
            word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
        }
        return word.toString();
    }
}
