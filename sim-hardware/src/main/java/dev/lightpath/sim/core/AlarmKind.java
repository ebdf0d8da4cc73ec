package dev.lightpath.sim.core;

/** What an alarm is about. */
public enum AlarmKind {
    /** A receiver that listens sees no light. */
    LOSS_OF_SIGNAL,
    /** Receive power below its threshold. */
    LOW_POWER,
    /** Receive power above its threshold. */
    HIGH_POWER,
    /** A port or module does not work. */
    PORT_FAILED,
    /** An element does not move. */
    STUCK,
    /** A power supply failed. */
    POWER_SUPPLY,
    /** A fan failed. */
    FAN,
    /** Too hot. */
    TEMPERATURE
}
