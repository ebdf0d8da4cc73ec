/** Signals, and which of them count as faults now. */
@NullMarked
package dev.lightpath.planner.fault;

import org.jspecify.annotations.NullMarked;
