/** Moves of switching elements: what is asked for and what came of it. */
@NullMarked
package dev.lightpath.sim.core.move;

import org.jspecify.annotations.NullMarked;
