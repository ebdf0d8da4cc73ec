/**
 * Circuits for a training iteration (the DELTA paper): from a model's shape to the traffic of one iteration, from the
 * traffic to circuits between pods, with a bound or a proof beside every makespan.
 *
 * <p>Start reading at {@link dev.lightpath.planner.delta.DeltaPlanner}. {@link
 * dev.lightpath.planner.delta.model.DeltaInstance} is the question, {@link dev.lightpath.planner.delta.DeltaSolution}
 * the answer. Times are seconds, volumes bytes, rates bytes per second.
 */
@NullMarked
package dev.lightpath.planner.delta;

import org.jspecify.annotations.NullMarked;
