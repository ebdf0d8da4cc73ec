package dev.lightpath.app.publish.status;

import dev.lightpath.crds.Reason;

/** How conditions name the planner's reasons. */
final class ConditionReason {
    private ConditionReason() {}

    static Reason of(dev.lightpath.planner.light.Reason reason) {
        return switch (reason) {
            // undecided for a moment only: nothing that a person would want to read about
            case RECORDING, READING, SOLVING, AWAITING_PODS -> Reason.PENDING;
            case RECORD_REFUSED -> Reason.RECORD_REFUSED;
            case INSUFFICIENT_CAPACITY -> Reason.INSUFFICIENT_CAPACITY;
            case QUOTA_EXCEEDED -> Reason.QUOTA_EXCEEDED;
            case INVALID_PARALLELISM -> Reason.INVALID_PARALLELISM;
            case INVALID_WIRING -> Reason.INVALID_WIRING;
            case FABRIC_KIND_MISMATCH -> Reason.FABRIC_KIND_MISMATCH;
            case FABRIC_NOT_FOUND -> Reason.FABRIC_NOT_FOUND;
            case SOLVER_FAILED -> Reason.SOLVER_FAILED;
            case NEWER_FORMAT -> Reason.NEWER_FORMAT;
            case FABRIC_PAUSED -> Reason.FABRIC_PAUSED;
            case MASS_FAILURE -> Reason.MASS_FAILURE;
            case AWAITING_ADOPTION -> Reason.AWAITING_ADOPTION;
            case LEDGER_OLDER_THAN_DEVICES -> Reason.LEDGER_OLDER_THAN_DEVICES;
            case HELD_BY_ANOTHER_ROLE -> Reason.HELD_BY_ANOTHER_ROLE;
            case DRIVER_UNREACHABLE -> Reason.DRIVER_UNREACHABLE;
            case PROGRAMMING -> Reason.PROGRAMMING;
            case QUALIFYING -> Reason.QUALIFYING;
            case DEGRADED -> Reason.DEGRADED;
            case FAULT_PENDING -> Reason.FAULT_PENDING;
            case RELEASING -> Reason.RELEASING;
            case REJECTED -> Reason.REJECTED;
            case INDETERMINATE -> Reason.INDETERMINATE;
        };
    }
}
