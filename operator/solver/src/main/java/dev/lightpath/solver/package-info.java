/** OR-Tools behind the planner's ports. */
@NullMarked
package dev.lightpath.solver;

import org.jspecify.annotations.NullMarked;
