/** Decides, purely: what the fabric is, what is wanted and what to do next. No clock, no I/O, no framework. */
@NullMarked
package dev.lightpath.planner;

import org.jspecify.annotations.NullMarked;
