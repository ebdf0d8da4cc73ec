/** Everything a planning pass may look at: wishes, recorded allocations, observed light, and the moment. */
@NullMarked
package dev.lightpath.planner.world;

import org.jspecify.annotations.NullMarked;
