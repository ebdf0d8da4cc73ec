/** Makes the FabricSlices of static topologies, and lets them go with their fabrics. */
@NullMarked
package dev.lightpath.app.statictopology;

import org.jspecify.annotations.NullMarked;
