/**
 * One pass: a {@link dev.lightpath.planner.world.World} in, a {@link dev.lightpath.planner.engine.Deliberation} out.
 */
@NullMarked
package dev.lightpath.planner.engine;

import org.jspecify.annotations.NullMarked;
