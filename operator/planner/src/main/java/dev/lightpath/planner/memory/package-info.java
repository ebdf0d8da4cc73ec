/**
 * What one pass leaves for the next so that it need not be worked out again. It saves work and changes no decision. A
 * pass has a {@link dev.lightpath.planner.memory.PassMemory} for each fabric; it begins with the {@link
 * dev.lightpath.planner.memory.PlannerCache} of the pass before and ends with the one for the next.
 */
@NullMarked
package dev.lightpath.planner.memory;

import org.jspecify.annotations.NullMarked;
