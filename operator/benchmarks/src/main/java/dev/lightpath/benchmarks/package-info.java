/** How fast the planner is; figures and commands in docs/performance.md. */
@NullMarked
package dev.lightpath.benchmarks;

import org.jspecify.annotations.NullMarked;
