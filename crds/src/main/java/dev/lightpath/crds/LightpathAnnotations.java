package dev.lightpath.crds;

/** Annotations that Lightpath reads and writes. */
public final class LightpathAnnotations {

    /** On pods: the rank of their node in the job, equal to the completion index of the Job. */
    public static final String RANK = "lightpath.dev/rank";

    /** On pods: the group of their node. */
    public static final String GROUP = "lightpath.dev/group";

    /** On pods: the position of their node. */
    public static final String RING_POSITION = "lightpath.dev/ring-position";

    /** On pods: what they may know of their light, JSON; the file {@code light.json} of the pod has it. */
    public static final String LIGHT = "lightpath.dev/light";

    /** On the pod of rank 0: the hosts of all pods in rank order, as Open MPI reads them. */
    public static final String HOSTFILE = "lightpath.dev/hostfile";

    /**
     * On JobSets of the operator: the GPUs and fabrics that they were made for. A job gets another JobSet if these have
     * changed.
     */
    public static final String MADE_FOR = "lightpath.dev/made-for";

    /**
     * On JobSets of the operator: a digest of their pod template. A job whose template changes gets another JobSet
     * until their pods may start.
     */
    public static final String MADE_FROM = "lightpath.dev/made-from";

    /** On JobSets of the operator: the queue label of their job when they were made, blank without one. */
    public static final String MADE_IN_QUEUE = "lightpath.dev/made-in-queue";

    /**
     * On JobSets of the operator in a queue: the label {@code kueue.x-k8s.io/priority-class} of their job when they
     * were made, a slash, and its {@code priorityClassName}; each blank without one.
     */
    public static final String MADE_WITH_PRIORITY = "lightpath.dev/made-with-priority";

    /**
     * On JobSets of the operator: how often the pods were started again under JobSets before it. A job that gets
     * another JobSet while it keeps its place, as an elastic one does, still has {@code maxRestarts} in all.
     */
    public static final String RESTARTED_BEFORE = "lightpath.dev/restarted-before";

    /**
     * On TrainingJobs, by their owner or their pods: the announced moves of light that the job agrees to, each as
     * FABRICSLICE/REVISION, joined by commas.
     */
    public static final String AGREED_REVISION = "lightpath.dev/agreed-revision";

    /**
     * On TrainingJobs, by their owner: the time of one iteration as it was measured, in seconds, a decimal. Metrics and
     * status.measurement show it beside the predicted time; circuits that follow traffic are chosen by what it teaches.
     */
    public static final String ITERATION_SECONDS = "lightpath.dev/iteration-seconds";

    /**
     * On Workloads of Kueue that had quota and no place: until when they are kept from their queue, RFC 3339, a space,
     * and why.
     */
    public static final String NO_PLACE = "lightpath.dev/no-place";

    /** On nodes: until when planned darkness lasts, RFC 3339. */
    public static final String DARK_UNTIL = "lightpath.dev/dark-until";

    /** On nodes, by a person: the node is faulty; the value says why. */
    public static final String FAULTY = "lightpath.dev/faulty";

    /** On nodes, by a person: faults from before this time (RFC 3339) are over. */
    public static final String CLEAR_FAULT = "lightpath.dev/clear-fault";

    /**
     * On optical switches, by a person: finds by probing circuits where the fibres of its unused ports lead. The value
     * is when that was asked (RFC 3339): another one begins anew.
     */
    public static final String DISCOVER = "lightpath.dev/discover";

    /** On fabrics, by a person: mass failures from before this time (RFC 3339) no longer stop automatic moves. */
    public static final String RESUME_AFTER_MASS_FAILURE = "lightpath.dev/resume-after-mass-failure";

    /**
     * On fabrics, by a person: the operator continues with devices that were written under this fencing epoch, or a
     * lower one, which its installation never gave.
     */
    public static final String ACCEPTED_EPOCH = "lightpath.dev/accepted-epoch";

    /**
     * On fabrics, by a person: the operator continues with devices that remember this revision of its records, or a
     * lower one.
     */
    public static final String ACCEPTED_REVISION = "lightpath.dev/accepted-revision";

    /**
     * On fabrics, by a person: {@code true} takes the circuits of the static topology down when the fabric is deleted.
     */
    public static final String RELEASE_ON_DELETION = "lightpath.dev/release-on-deletion";

    /**
     * On slices, by a person: the slice is deleted although its circuits may still be lit; its ports are quarantined.
     */
    public static final String FORCE_RELEASE = "lightpath.dev/force-release";

    /**
     * On a FabricSlice: it had a record once, written by the operator. So a slice that lost its record can be
     * recognised.
     */
    public static final String RECORDED = "lightpath.dev/recorded";

    /**
     * On a FabricSlice: a person restored it from a backup at this time (RFC 3339). Its record may then be written
     * once.
     */
    public static final String RESTORED = "lightpath.dev/restored";

    /**
     * On a FabricSlice, by a router: the revision of the record (status.allocation.revision) whose circuits its routes
     * follow, a whole number.
     */
    public static final String ROUTED_REVISION = "lightpath.dev/routed-revision";

    private LightpathAnnotations() {}
}
