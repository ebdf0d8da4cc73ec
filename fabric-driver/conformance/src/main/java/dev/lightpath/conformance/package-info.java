/**
 * The kit as a program: options, the run over all requirements, exit codes. Start reading at {@code ConformanceRun}.
 */
@NullMarked
package dev.lightpath.conformance;

import org.jspecify.annotations.NullMarked;
