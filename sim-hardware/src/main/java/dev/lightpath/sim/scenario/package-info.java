/** Scenario files: what devices there are, how they are wired, what happens when. */
@NullMarked
package dev.lightpath.sim.scenario;

import org.jspecify.annotations.NullMarked;
