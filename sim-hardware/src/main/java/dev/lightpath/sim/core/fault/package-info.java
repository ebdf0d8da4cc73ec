/** Faults that are injected, and what each may befall. */
@NullMarked
package dev.lightpath.sim.core.fault;

import org.jspecify.annotations.NullMarked;
