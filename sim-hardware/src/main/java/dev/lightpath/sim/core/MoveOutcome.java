package dev.lightpath.sim.core;

/**
 * What became of a move, as the device tells it.
 *
 * @param move what was asked
 * @param state BLOCKED after a disconnect, TUNED or TUNING after a connect, FAILED
 * @param error why it failed
 * @param text what the device says, empty when all is well
 * @param endedNanos when it ended, -1 while TUNING
 */
public record MoveOutcome(Move move, ConnectionState state, MoveError error, String text, long endedNanos) {}
