/** From a model's shape, or from a recorded trace, to the transfers of one training iteration. */
@NullMarked
package dev.lightpath.planner.delta.iteration;

import org.jspecify.annotations.NullMarked;
