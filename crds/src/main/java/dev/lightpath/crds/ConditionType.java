package dev.lightpath.crds;

/** Types of conditions in the status of the four resources. */
public enum ConditionType {
    /** The summary, on every resource. */
    READY("Ready"),

    /** True while the resource is on its way; kstatus reads it. */
    RECONCILING("Reconciling"),

    /** True while only a person can help; kstatus reads it. */
    STALLED("Stalled"),

    /** OpticalFabric, OpticalSwitch: the driver answers and speaks our contract. */
    CONNECTED("Connected"),

    /**
     * OpticalFabric, OpticalSwitch: True while a driver is spoken to without TLS, not there otherwise. No part of
     * Ready.
     */
    INSECURE("Insecure"),

    /** OpticalFabric, OpticalSwitch: the light is what was planned. */
    IN_SYNC("InSync"),

    /** TrainingJob: the spec makes sense on its fabrics. */
    ACCEPTED("Accepted"),

    /** TrainingJob: the job has its nodes and circuits. */
    PLACED("Placed"),

    /** TrainingJob: the light is programmed and qualified. */
    FABRIC_READY("FabricReady"),

    /** TrainingJob: the workload ended well. */
    COMPLETE("Complete"),

    /** TrainingJob: the workload failed for good. */
    FAILED("Failed"),

    /** FabricSlice: the ledger is written. */
    ALLOCATED("Allocated"),

    /** FabricSlice: the devices have taken the allocation. */
    PROGRAMMED("Programmed"),

    /** FabricSlice: light has proved it. */
    QUALIFIED("Qualified");

    private final String word;

    ConditionType(String word) {
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
