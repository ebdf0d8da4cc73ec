/**
 * What the engine would decide on a changed snapshot of a cluster: the same passes, played until nothing more is
 * recorded.
 */
@NullMarked
package dev.lightpath.planner.engine.simulation;

import org.jspecify.annotations.NullMarked;
