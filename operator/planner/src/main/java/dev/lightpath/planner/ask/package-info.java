/**
 * What DELTA is asked about a job that has its pods, and what it answered. A question is named by its content, so that an
 * answer is remembered as long as the question stays the same; one replica stands for all.
 *
 * <p>Start reading at {@link dev.lightpath.planner.ask.TopologyQuestion}.
 */
@NullMarked
package dev.lightpath.planner.ask;

import org.jspecify.annotations.NullMarked;
