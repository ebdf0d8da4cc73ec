/** Circuits that the records ask for, held against those that the devices show: missing, foreign, to be released. */
@NullMarked
package dev.lightpath.planner.engine.circuits;

import org.jspecify.annotations.NullMarked;
