/** Links and tori on optical switches. The door is {@code OcsLedger}. */
@NullMarked
package dev.lightpath.planner.engine.switches;

import org.jspecify.annotations.NullMarked;
