/** Everything a planning pass may read: requests, recorded allocations, observed circuits, and the time. */
@NullMarked
package dev.lightpath.planner.world;

import org.jspecify.annotations.NullMarked;
