package dev.lightpath.crds;

/** Types of conditions in the status of the four resources. */
public enum ConditionType {
    /** The summary, on every resource. */
    READY("Ready"),

    /** True while the resource is on its way; kstatus reads it. */
    RECONCILING("Reconciling"),

    /** True while only a person can help; kstatus reads it. */
    STALLED("Stalled"),

    /** OpticalFabric, OpticalSwitch: the driver answers and has the operator's version of the contract. */
    CONNECTED("Connected"),

    /** OpticalFabric, OpticalSwitch: True while a driver is reached without TLS, absent otherwise. No part of Ready. */
    INSECURE("Insecure"),

    /** OpticalFabric: True while admission policies are not in force, absent otherwise. No part of Ready. */
    UNGUARDED("Unguarded"),

    /** OpticalFabric, OpticalSwitch: the circuits are as planned. */
    IN_SYNC("InSync"),

    /** TrainingJob: the spec makes sense on its fabrics. */
    ACCEPTED("Accepted"),

    /** TrainingJob: the job has its nodes and circuits. */
    PLACED("Placed"),

    /** TrainingJob: the circuits are programmed and qualified. */
    FABRIC_READY("FabricReady"),

    /** TrainingJob: the workload succeeded. */
    COMPLETE("Complete"),

    /** TrainingJob: the workload failed for good. */
    FAILED("Failed"),

    /** FabricSlice: the allocation is recorded. */
    ALLOCATED("Allocated"),

    /** FabricSlice: the devices have taken the allocation. */
    PROGRAMMED("Programmed"),

    /** FabricSlice: its links carry light. */
    QUALIFIED("Qualified"),

    /**
     * FabricSlice: routes follow its circuits. Absent unless its fabric has policy.routes.acknowledgement: Required.
     */
    ROUTED("Routed"),

    /**
     * FabricSlice, TrainingJob: light that was announced to the job may move. Absent unless the job has spec.agreement
     * and light of its pods was to move on purpose, or its annotation agrees to what was not announced. No part of
     * Ready.
     */
    AGREED("Agreed"),

    /**
     * TrainingJob: the pod of rank 0 agreed when it was asked by spec.agreement.hook. Absent until it was asked about
     * the announcement of the moment. No part of Ready.
     */
    HOOK_ANSWERED("HookAnswered"),

    /**
     * TrainingJob: how long an iteration took beside its prediction, and what was learnt from it. Absent until the job
     * or the query of its fabric tells one; False while that is nonsense. No part of Ready.
     */
    MEASURED("Measured"),

    /**
     * OpticalFabric: spec.measurements.prometheus is answered. Absent without it, and before the first answer. No part
     * of Ready.
     */
    MEASUREMENTS_READ("MeasurementsRead");

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
