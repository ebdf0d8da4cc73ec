/**
 * Whether anything grows in a long life: the trace of faults is played on the whole operator, and its processes, what
 * they store, and what they ask of the API server are watched meanwhile.
 */
@NullMarked
package dev.lightpath.benchmarks.life;

import org.jspecify.annotations.NullMarked;
