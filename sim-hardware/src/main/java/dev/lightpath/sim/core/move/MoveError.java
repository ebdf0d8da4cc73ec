package dev.lightpath.sim.core.move;

/** Why a move was refused or failed. */
public enum MoveError {
    /** It was neither. */
    NONE,
    /** No such port. */
    UNKNOWN_PORT,
    /** The two ports can never meet. */
    WRONG_SIDE,
    /** A port is part of another connection. */
    PORT_IN_USE,
    /** There is no such connection to break. */
    NOT_CONNECTED,
    /** The element does not move. */
    ELEMENT_STUCK,
    /** The element is dead. */
    ELEMENT_DEAD,
    /** The port has failed. */
    PORT_FAILED,
    /** A later command took the port first. */
    SUPERSEDED,
    /** The device lost power first. */
    POWER_LOST,
    /** More moves than one batch may hold. */
    BATCH_TOO_LARGE
}
