/** The only place that knows gRPC: thin translations between the wire and the hardware. */
@NullMarked
package dev.lightpath.sim.wire;

import org.jspecify.annotations.NullMarked;
