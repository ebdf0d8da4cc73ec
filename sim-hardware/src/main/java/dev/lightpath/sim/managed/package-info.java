/** Switches as their management protocols show them, whatever they speak. */
@NullMarked
package dev.lightpath.sim.managed;

import org.jspecify.annotations.NullMarked;
