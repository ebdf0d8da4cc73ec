/** Where the groups of jobs sit on a ring: first placement, repair, relocation. The door is {@code RingLedger}. */
@NullMarked
package dev.lightpath.planner.engine.ring;

import org.jspecify.annotations.NullMarked;
