/** OpticalSwitch: one optical circuit switch behind a driver. */
@NullMarked
package dev.lightpath.crds.opticalswitch;

import org.jspecify.annotations.NullMarked;
