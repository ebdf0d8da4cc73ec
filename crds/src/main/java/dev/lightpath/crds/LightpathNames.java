package dev.lightpath.crds;

/** Names that are neither labels nor annotations: gate, finalizer, lease, epoch. */
public final class LightpathNames {

    /** Scheduling gate of pods that wait for their circuits. */
    public static final String SCHEDULING_GATE = "lightpath.dev/circuits";

    /** Finalizer of TrainingJob and FabricSlice. */
    public static final String FINALIZER = "lightpath.dev/light";

    /** Lease of the leader, in the namespace of the operator. */
    public static final String LEASE = "lightpath-operator";

    /** ConfigMap that counts the terms of leaders, in the namespace of the operator. */
    public static final String EPOCH_CONFIG_MAP = "lightpath-epoch";

    /** Key of {@link #EPOCH_CONFIG_MAP}: the fencing epoch, a decimal number. */
    public static final String EPOCH_KEY = "epoch";

    /** Key of {@link #EPOCH_CONFIG_MAP}: the URL of the leader's read-only view of its last World. */
    public static final String VIEW_KEY = "view";

    /** Key of {@link #EPOCH_CONFIG_MAP}: the identity of the installation, random and made once. */
    public static final String INSTALLATION_KEY = "installation";

    /** Key of {@link #EPOCH_CONFIG_MAP}: the last epochs and the processes that they were given to, one a line. */
    public static final String HOLDERS_KEY = "holders";

    /** ConfigMap that marks recorded traffic while it is read, in the namespace of the operator. */
    public static final String READINGS_CONFIG_MAP = "lightpath-readings";

    private LightpathNames() {}
}
