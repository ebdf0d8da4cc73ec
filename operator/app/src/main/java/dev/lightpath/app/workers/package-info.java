/**
 * Searches for circuits in pods of their own: which workers there are, whom to ask, and what of an answer is believed.
 */
@NullMarked
package dev.lightpath.app.workers;

import org.jspecify.annotations.NullMarked;
