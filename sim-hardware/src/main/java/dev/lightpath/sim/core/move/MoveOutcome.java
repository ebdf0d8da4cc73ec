package dev.lightpath.sim.core.move;

/**
 * The outcome of a move, as the device reports it.
 *
 * @param move the requested move
 * @param state BLOCKED after a disconnect, TUNED or TUNING after a connect, FAILED
 * @param error why it failed
 * @param text the device's own words, empty when all is well
 * @param endedNanos when it ended, -1 while TUNING
 */
public record MoveOutcome(Move move, ConnectionState state, MoveError error, String text, long endedNanos) {}
