package dev.lightpath.planner.ring;

/** The one active path of a bundle of OCS transceivers (InfinitePOD section 4.1). */
public enum BundleState {
    /** Joins the bundle's two GPUs inside the node. */
    LOOPBACK,
    PATH_1,
    PATH_2
}
