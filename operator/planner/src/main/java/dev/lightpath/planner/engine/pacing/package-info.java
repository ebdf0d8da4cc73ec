/**
 * When circuits may change: what stops all changes of a fabric ({@link
 * dev.lightpath.planner.engine.pacing.ChangeFreeze}), what one repair waits for ({@link
 * dev.lightpath.planner.engine.pacing.RepairGate}), and which of the changes that are due come next within the
 * disruption budget ({@link dev.lightpath.planner.engine.pacing.Rollout}). It knows no topology: what a change costs in
 * darkness comes from outside ({@link dev.lightpath.planner.engine.pacing.Darkness}).
 */
@NullMarked
package dev.lightpath.planner.engine.pacing;

import org.jspecify.annotations.NullMarked;
