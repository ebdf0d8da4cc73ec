/** Emulated switches that are managed over TL1. */
@NullMarked
package dev.lightpath.sim.tl1;

import org.jspecify.annotations.NullMarked;
