package dev.lightpath.sim.core;

/** Why the management of a device started. */
public enum BootReason {
    /** Power came on: a switch is empty, transceivers loop back. */
    POWER_ON,
    /** Only the management restarted: light was kept. */
    MANAGEMENT_RESTART
}
