/**
 * The MILPs of the DELTA paper, solved by OR-Tools in a child process. Start reading at
 * {@link dev.lightpath.solver.MilpPlanner}; only {@link dev.lightpath.solver.MilpChild} touches the native library.
 */
@NullMarked
package dev.lightpath.solver;

import org.jspecify.annotations.NullMarked;
