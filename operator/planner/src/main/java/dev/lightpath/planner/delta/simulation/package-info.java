/** How long an iteration takes on a topology: a fluid simulation of its transfers under fair or joint rates. */
@NullMarked
package dev.lightpath.planner.delta.simulation;

import org.jspecify.annotations.NullMarked;
