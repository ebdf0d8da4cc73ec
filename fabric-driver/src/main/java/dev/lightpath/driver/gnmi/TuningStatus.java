package dev.lightpath.driver.gnmi;

import dev.lightpath.proto.driver.v1alpha1.CircuitState;

/** What a port does, in the words of sonic-ocs-states, or of the module sonic-ocs of {@code sonic-molex}. */
enum TuningStatus {
    /** It passes no light, or was not told to. */
    BLOCKED,
    /** The first element that light meets has no power. */
    POWERED_OFF,
    TUNING,
    TUNED,
    FAILED,
    /** A word that is none of these, or none at all. */
    UNKNOWN;

    static TuningStatus of(String word) {
        return switch (word) {
            case "blocked" -> BLOCKED;
            case "tuning" -> TUNING;
            case "tuned", "connected" -> TUNED;
            case "powered_off" -> POWERED_OFF;
            case "failed" -> FAILED;
            default -> UNKNOWN;
        };
    }

    /**
     * A circuit whose two ports do this. It is made when both are tuned; until a device has begun, they may still be
     * blocked.
     */
    CircuitState with(TuningStatus other) {
        if (this == FAILED || other == FAILED) {
            return CircuitState.CIRCUIT_STATE_FAILED;
        }
        return this == TUNED && other == TUNED
                ? CircuitState.CIRCUIT_STATE_CONNECTED
                : CircuitState.CIRCUIT_STATE_TUNING;
    }
}
