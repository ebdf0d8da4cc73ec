package dev.lightpath.driver.adapter;

/** One thing to ask of a device. */
public sealed interface Move {
    CircuitPair pair();

    /** Break this circuit. */
    record Break(CircuitPair pair) implements Move {}

    /** Make this circuit. */
    record Make(CircuitPair pair) implements Move {}
}
