/**
 * Questions to DELTA about a job that has its pods, and their answers. The name of a question is a digest of its
 * content, so an answer is kept as long as the question stays the same. One replica represents all.
 *
 * <p>Start reading at {@link dev.lightpath.planner.ask.TopologyQuestion}.
 */
@NullMarked
package dev.lightpath.planner.ask;

import org.jspecify.annotations.NullMarked;
