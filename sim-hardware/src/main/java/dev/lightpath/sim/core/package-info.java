/**
 * The hardware itself: cabling, elements, light, receivers, faults. Single-threaded and deterministic: the same plant,
 * seed and sequence of calls give the same light at the same emulated nanosecond. Knows nothing of the wire.
 */
@NullMarked
package dev.lightpath.sim.core;

import org.jspecify.annotations.NullMarked;
