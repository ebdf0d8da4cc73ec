/** OpticalFabric: what exists, written by the administrator of the cluster. */
@NullMarked
package dev.lightpath.crds.fabric;

import org.jspecify.annotations.NullMarked;
