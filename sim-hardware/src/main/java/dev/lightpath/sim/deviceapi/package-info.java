/** Devices by the API that vendors' programs speak, {@code lightpath.device.v1alpha1}. It knows nothing of fencing. */
@NullMarked
package dev.lightpath.sim.deviceapi;

import org.jspecify.annotations.NullMarked;
