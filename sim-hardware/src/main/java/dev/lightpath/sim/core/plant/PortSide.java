package dev.lightpath.sim.core.plant;

/** Which side of a device a port is on. */
public enum PortSide {
    /** Light may enter and leave. */
    BOTH,
    /** Light only enters. */
    INGRESS,
    /** Light only leaves. */
    EGRESS,
    /** The electrical side of a transceiver module. */
    COMMON,
    /** The internal loop of a transceiver module. */
    LOOP,
    /** A line side of a transceiver module. */
    LINE
}
