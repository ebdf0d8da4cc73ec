/** First places for the groups of a job along the fibre of a ring. */
@NullMarked
package dev.lightpath.planner.ring.placement;

import org.jspecify.annotations.NullMarked;
