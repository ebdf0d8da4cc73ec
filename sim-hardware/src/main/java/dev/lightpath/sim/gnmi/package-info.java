/** Emulated switches that are managed over gNMI, as optical circuit switches with SONiC. */
@NullMarked
package dev.lightpath.sim.gnmi;

import org.jspecify.annotations.NullMarked;
