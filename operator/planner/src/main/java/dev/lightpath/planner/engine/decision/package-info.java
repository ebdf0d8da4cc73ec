/** What a pass concludes: the decision, a verdict for each slice and fabric, and what is due. Values only. */
@NullMarked
package dev.lightpath.planner.engine.decision;

import org.jspecify.annotations.NullMarked;
