/** The one thread on which the hardware lives, and the clock that drives it. */
@NullMarked
package dev.lightpath.sim.loop;

import org.jspecify.annotations.NullMarked;
