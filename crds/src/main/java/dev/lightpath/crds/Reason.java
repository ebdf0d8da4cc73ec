package dev.lightpath.crds;

/** Reasons of conditions, by the condition that has them first. */
public enum Reason {
    /** Connected, FabricReady. */
    DRIVER_UNREACHABLE("DriverUnreachable"),

    /** Connected. */
    AUTHENTICATION_FAILED("AuthenticationFailed"),

    /** Connected: the driver has another version of the contract. */
    CONTRACT_MISMATCH("ContractMismatch"),

    /** Unguarded: users and the operator may do more than docs/security.md says; the message names the policies. */
    POLICIES_MISSING("PoliciesMissing"),

    /** Insecure: any party between operator and driver may read and change the traffic. */
    PLAINTEXT("Plaintext"),

    /** Connected: the driver has seen a newer leader of this installation. */
    STALE_EPOCH("StaleEpoch"),

    /** InSync: lit circuits that no record explains. */
    FOREIGN_CIRCUITS("ForeignCircuits"),

    /** InSync: planned circuits that are not lit. */
    MISSING_CIRCUITS("MissingCircuits"),

    /** InSync: not read back yet. */
    UNREAD("Unread"),

    /** OpticalFabric Ready. */
    PAUSED("Paused"),

    /** OpticalFabric Ready, TrainingJob Placed. */
    MASS_FAILURE("MassFailure"),

    /** OpticalFabric Ready: devices were written to under an epoch that this installation never gave. */
    LEDGER_OLDER_THAN_DEVICES("LedgerOlderThanDevices"),

    /** OpticalFabric Ready: devices that records have light on are held by another role. */
    HELD_BY_ANOTHER_ROLE("HeldByAnotherRole"),

    /** FabricSlice Ready: the API server refuses its record; OpticalFabric Ready is True and names the slice. */
    RECORD_REFUSED("RecordRefused"),

    /** OpticalFabric Ready: a person has to set adopt. */
    AWAITING_ADOPTION("AwaitingAdoption"),

    /** For a job on two fabrics: its pods on optical switches are chosen first. */
    AWAITING_PODS("AwaitingPods"),

    /** OpticalFabric Ready: the message names nodes or ports. */
    INVALID_WIRING("InvalidWiring"),

    /** Accepted, OpticalSwitch Ready. */
    FABRIC_NOT_FOUND("FabricNotFound"),

    /** Accepted: scaleUp needs ocsTrx, scaleOut needs ocs, as OpticalSwitch Ready does. */
    FABRIC_KIND_MISMATCH("FabricKindMismatch"),

    /** Accepted. */
    NAMESPACE_NOT_ALLOWED("NamespaceNotAllowed"),

    /** Accepted. */
    INVALID_PARALLELISM("InvalidParallelism"),

    /** Accepted. */
    INVALID_TEMPLATE("InvalidTemplate"),

    /** Accepted is True: variables, flags or GPUs of the template say another size than the spec. */
    TEMPLATE_CONTRADICTS("TemplateContradicts"),

    /** Accepted: recorded traffic is missing or cannot be read; the message names file, record and what is allowed. */
    INVALID_TRAFFIC("InvalidTraffic"),

    /** Measured: what is told of its iterations is no time, or too far off; it is not used. */
    INVALID_MEASUREMENT("InvalidMeasurement"),

    /** MeasurementsRead: the message says what stands in the way, in words of the operator. */
    QUERY_FAILED("QueryFailed"),

    /** Accepted: spec.priorityClassName names a PriorityClass that is not there. */
    PRIORITY_CLASS_NOT_FOUND("PriorityClassNotFound"),

    /** Accepted: recorded traffic waits for its turn to be read; the message says why. */
    READING_TRAFFIC("ReadingTraffic"),

    /** Accepted. */
    SUSPENDED("Suspended"),

    /** Accepted. */
    WAITING_FOR_QUOTA("WaitingForQuota"),

    /** Accepted: the workload of a job that had a place was deleted. Nodes and circuits go back. */
    WORKLOAD_DELETED("WorkloadDeleted"),

    /** Accepted: the workload is that of another job, which the message names. Nodes and circuits go back. */
    WORKLOAD_TAKEN("WorkloadTaken"),

    /** Placed: the message says GPUs wanted, usable and why. */
    INSUFFICIENT_CAPACITY("InsufficientCapacity"),

    /** Placed: a job of higher priority took the place; the message names it. */
    PREEMPTED("Preempted"),

    /** Placed: the namespace holds as much as the fabric's policy.quota allows. */
    QUOTA_EXCEEDED("QuotaExceeded"),

    /**
     * Placed, also when True: circuits follow the traffic or stay as they are, because the search for better ones
     * failed.
     */
    SOLVER_FAILED("SolverFailed"),

    /** Placed. */
    FABRIC_PAUSED("FabricPaused"),

    /**
     * Placed, TrainingJob Ready: the API server refuses to make an object of the job, to delete its JobSet or a pod, or
     * to let a pod go; the message quotes it.
     */
    CREATION_REFUSED("CreationRefused"),

    /** FabricReady. */
    PROGRAMMING("Programming"),

    /** FabricReady. */
    QUALIFYING("Qualifying"),

    /** FabricReady: circuits are missing and no repair fits. */
    DEGRADED("Degraded"),

    /** Routed, TrainingJob Ready: circuits are qualified, and no router has acknowledged their revision. */
    AWAITING_ROUTES("AwaitingRoutes"),

    /** Routed: circuits are being changed or checked, and no router has acknowledged their revision. */
    CIRCUITS_CHANGING("CircuitsChanging"),

    /** Routed, which holds: a router has acknowledged the revision. */
    ACKNOWLEDGED("Acknowledged"),

    /** Agreed: light is to move, and its job has not agreed to that yet. It burns where it is. */
    AWAITING_AGREEMENT("AwaitingAgreement"),

    /** Agreed: nothing is asked, and the annotation of the job names what was never announced. */
    NOT_ANNOUNCED("NotAnnounced"),

    /** Agreed and HookAnswered, which hold: the job agreed to the revision. */
    AGREED("Agreed"),

    /** HookAnswered: the pod heard of the announcement and is not ready for it; it is asked again. */
    HOOK_WAITS("HookWaits"),

    /**
     * HookAnswered: the pod was not asked, or gave no answer that counts; the message says why, in words of the
     * operator.
     */
    HOOK_FAILED("HookFailed"),

    /** Agreed, which holds: the job did not answer within spec.agreement.waitSeconds. */
    LIMIT_PASSED("LimitPassed"),

    /** Agreed, which holds: a fault took light or nodes of the job while it was asked. */
    LIGHT_LOST("LightLost"),

    /**
     * Agreed, which holds: nothing is asked any more, for the light is not used, not to move, or nobody asks to be
     * asked.
     */
    NOT_NEEDED("NotNeeded"),

    /** FabricReady: a device refused. */
    REJECTED("Rejected"),

    /** FabricReady: the outcome of a write is not known yet. */
    INDETERMINATE("Indeterminate"),

    /** TrainingJob Ready. */
    PODS_PENDING("PodsPending"),

    /** TrainingJob Ready: the pods of workload.ref do not carry the gate. */
    GATE_MISSING("GateMissing"),

    /** TrainingJob Ready: a fault whose repair is not decided yet. */
    FAULT_PENDING("FaultPending"),

    /** Complete. */
    JOB_COMPLETED("JobCompleted"),

    /** Failed. */
    MAX_RESTARTS("MaxRestarts"),

    /** Failed. */
    JOB_FAILED("JobFailed"),

    /** Failed: the job was placed for longer than activeDeadlineSeconds. */
    DEADLINE_EXCEEDED("DeadlineExceeded"),

    /** FabricSlice Ready: circuits are being taken down. */
    RELEASING("Releasing"),

    /** FabricSlice Ready: a newer operator wrote the record; nothing is written until it can be read. */
    NEWER_FORMAT("NewerFormat"),

    /** TrainingJob Placed, which holds: a slice that the job uses was deleted; it stays Terminating and is served. */
    SLICE_DELETED("SliceDeleted"),

    /** TrainingJob Placed, which holds: the job has fewer replicas than parallelism.data. */
    FEWER_REPLICAS("FewerReplicas"),

    /** Unknown: not read yet. */
    PENDING("Pending"),

    /** A field of the spec, or an annotation, has no effect in this version; the message names it. */
    NOT_SUPPORTED("NotSupported"),

    /** True: nothing is missing. */
    SATISFIED("Satisfied");

    private final String word;

    Reason(String word) {
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
