/**
 * What measured iterations teach about a job: how fast its GPUs and links are in truth.
 *
 * <p>Start reading at {@link dev.lightpath.planner.learn.SpeedFit}.
 */
@NullMarked
package dev.lightpath.planner.learn;

import org.jspecify.annotations.NullMarked;
