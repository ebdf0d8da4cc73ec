/** The planning loop: reads the world, lets the planner decide, starts the effect, publishes. One World, one loop. */
@NullMarked
package dev.lightpath.app.loop;

import org.jspecify.annotations.NullMarked;
