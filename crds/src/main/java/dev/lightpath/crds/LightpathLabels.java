package dev.lightpath.crds;

/** Labels that Lightpath reads and writes. */
public final class LightpathLabels {

    /** On pods, JobSets and slices: the TrainingJob. */
    public static final String JOB = "lightpath.dev/job";

    /** On pods: the attempt of the job. */
    public static final String ATTEMPT = "lightpath.dev/attempt";

    /** On slices: the OpticalFabric. */
    public static final String FABRIC = "lightpath.dev/fabric";

    /** On nodes: the position on the ring, where the fabric names no other label. */
    public static final String RING_POSITION = "lightpath.dev/ring-position";

    /** On nodes: the pod of the fabric, where the fabric names no other label. */
    public static final String POD = "lightpath.dev/pod";

    /** On nodes, by the operator: the fabric of transceivers that they take part in, where it asks for such labels. */
    public static final String TOPOLOGY_SCALE_UP = "lightpath.dev/topology-scale-up";

    /** On nodes, by the operator: the first and the last position of their stretch of that fabric, as 0-7. */
    public static final String TOPOLOGY_STRETCH = "lightpath.dev/topology-stretch";

    /**
     * On nodes, by the operator: the fabric of optical switches that they take part in, where it asks for such labels.
     */
    public static final String TOPOLOGY_SCALE_OUT = "lightpath.dev/topology-scale-out";

    /** On nodes, by the operator: their pod of that fabric. */
    public static final String TOPOLOGY_POD = "lightpath.dev/topology-pod";

    /** On everything made for a job. */
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** The value of {@link #MANAGED_BY}. */
    public static final String LIGHTPATH = "lightpath";

    private LightpathLabels() {}
}
