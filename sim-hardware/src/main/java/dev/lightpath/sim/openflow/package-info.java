/** Emulated switches managed over OpenFlow 1.3 and 1.4, which connect to a controller as real ones do. */
@NullMarked
package dev.lightpath.sim.openflow;

import org.jspecify.annotations.NullMarked;
