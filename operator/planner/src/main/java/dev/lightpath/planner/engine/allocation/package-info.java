/** Slices with their recorded allocations, where their members are now, and the order in which records are written. */
@NullMarked
package dev.lightpath.planner.engine.allocation;

import org.jspecify.annotations.NullMarked;
