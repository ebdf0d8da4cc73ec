/** What is there: a fabric with its devices, signals and faults judged, recovered records, and mass failures. */
@NullMarked
package dev.lightpath.planner.engine.state;

import org.jspecify.annotations.NullMarked;
