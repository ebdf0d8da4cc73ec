package dev.lightpath.app.whole;

import org.awaitility.core.ThrowingRunnable;

/**
 * A part of a story that ends in one state, however it is come to.
 *
 * @param happens what somebody wishes or what breaks; never by way of a tap
 * @param over whether what was wished is so
 */
record Act(String name, Runnable happens, ThrowingRunnable over) {}
