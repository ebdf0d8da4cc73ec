package dev.lightpath.sim.core;

/** State of a receiver. */
public enum LockState {
    /** The port has no receiver. */
    NONE,
    /** The receiver of the module listens at another port, or has no power. */
    IDLE,
    /** It listens and there is no light. */
    LOSS_OF_SIGNAL,
    /** Light, not yet locked. */
    ACQUIRING,
    /** Locked: data flows and the neighbour is known. */
    LOCKED
}
