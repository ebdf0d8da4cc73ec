/** The hardware emulator: optical switches and transceivers with optics, faults and a clock of their own. */
@NullMarked
package dev.lightpath.sim;

import org.jspecify.annotations.NullMarked;
