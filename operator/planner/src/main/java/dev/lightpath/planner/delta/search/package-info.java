/** The searches for circuits, and the bounds that prune them. */
@NullMarked
package dev.lightpath.planner.delta.search;

import org.jspecify.annotations.NullMarked;
