package dev.lightpath.crds;

/** Reasons of events. */
public enum EventReason {
    ACCEPTED("Accepted"),
    PLACED("Placed"),
    PROGRAMMED("Programmed"),
    QUALIFIED("Qualified"),
    READY("Ready"),
    REPAIRED("Repaired"),
    REPLACED("Replaced"),
    DEGRADED("Degraded"),
    UNPLACEABLE("Unplaceable"),
    SOLVER_FAILED("SolverFailed"),
    SLICE_DELETED("SliceDeleted"),
    PREEMPTED("Preempted"),
    RELEASED("Released"),
    CONNECTED("Connected"),
    DISCONNECTED("Disconnected"),
    FOREIGN_CIRCUIT("ForeignCircuit"),
    FAULT_DETECTED("FaultDetected"),
    FAULT_CLEARED("FaultCleared"),
    MASS_FAILURE("MassFailure"),
    DRAINED("Drained");

    private final String word;

    EventReason(String word) {
        this.word = word;
    }

    /** How it is written in the API. */
    public String word() {
        return word;
    }

    @Override
    public String toString() {
        return word;
    }
}
