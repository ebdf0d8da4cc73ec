package dev.lightpath.sim.core.plant;

/** What kind of thing a device is. */
public enum DeviceKind {
    /** An optical circuit switch with ports "1".."N". */
    SWITCH,
    /** The OCS transceivers of one node, modules b0.. of four ports each. */
    TRANSCEIVERS,
    /** Plain transceivers that always send and listen. */
    ENDPOINTS
}
