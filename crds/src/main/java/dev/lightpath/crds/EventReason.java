package dev.lightpath.crds;

/** Reasons of events. */
public enum EventReason {
    /** TrainingJob: its spec makes sense on its fabrics. */
    ACCEPTED("Accepted"),

    /** TrainingJob: it has nodes and circuits for the first time. */
    PLACED("Placed"),

    /** TrainingJob: the devices have taken its circuits. */
    PROGRAMMED("Programmed"),

    /** TrainingJob: light arrives at both ends of each of its links. */
    QUALIFIED("Qualified"),

    /** TrainingJob: its pods may run. */
    READY("Ready"),

    /** TrainingJob: nodes or circuits of its place were replaced after a fault. */
    REPAIRED("Repaired"),

    /** TrainingJob: it goes on with fewer replicas. */
    SHRUNK("Shrunk"),

    /** TrainingJob: it has more replicas than before. */
    GROWN("Grown"),

    /** TrainingJob: it has another place as a whole. */
    REPLACED("Replaced"),

    /** TrainingJob: circuits are missing and no repair fits. */
    DEGRADED("Degraded"),

    /** TrainingJob: there is no room for it. */
    UNPLACEABLE("Unplaceable"),

    /** TrainingJob: the search for its circuits failed. */
    SOLVER_FAILED("SolverFailed"),

    /** TrainingJob: a person deleted a slice that it uses. */
    SLICE_DELETED("SliceDeleted"),

    /** TrainingJob: a job of higher priority took its place. */
    PREEMPTED("Preempted"),

    /** TrainingJob: its light is to move on purpose, and waits for its agreement. */
    DARKNESS_ANNOUNCED("DarknessAnnounced"),

    /** TrainingJob: light that was announced moves now; the message says why it may. */
    DARKNESS_BEGINS("DarknessBegins"),

    /** TrainingJob: light that was announced does not move; the message says why it may not. */
    DARKNESS_CANCELLED("DarknessCancelled"),

    /** TrainingJob: its pod of rank 0 answered an announcement by its hook; the message says what. */
    HOOK_ANSWERED("HookAnswered"),

    /** TrainingJob: its pod of rank 0 could not be asked by its hook, or gave no answer that counts. */
    HOOK_FAILED("HookFailed"),

    /** TrainingJob: nothing is lit for it any more. */
    RELEASED("Released"),

    /** OpticalFabric, OpticalSwitch: the driver answers. */
    CONNECTED("Connected"),

    /** OpticalFabric, OpticalSwitch: the driver does not answer. */
    DISCONNECTED("Disconnected"),

    /** OpticalFabric, OpticalSwitch: circuits are lit that no record explains. */
    FOREIGN_CIRCUIT("ForeignCircuit"),

    /** OpticalFabric, OpticalSwitch: a node, a device or a port counts as faulty. */
    FAULT_DETECTED("FaultDetected"),

    /** OpticalFabric, OpticalSwitch: what was faulty is well again. */
    FAULT_CLEARED("FaultCleared"),

    /** OpticalFabric: so much failed at once that automatic moves stop. */
    MASS_FAILURE("MassFailure"),

    /** OpticalSwitch: it is drained, and nothing is lit on it. */
    DRAINED("Drained"),

    /** Pod: it waits for light, and its label names no TrainingJob. */
    NO_TRAINING_JOB("NoTrainingJob");

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
