/** The policy of an OpticalFabric. */
@NullMarked
package dev.lightpath.crds.fabric.policy;

import org.jspecify.annotations.NullMarked;
