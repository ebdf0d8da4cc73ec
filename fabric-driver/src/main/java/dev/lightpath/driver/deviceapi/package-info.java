/** Devices whose vendor's program speaks {@code lightpath.device.v1alpha1}. */
@NullMarked
package dev.lightpath.driver.deviceapi;

import org.jspecify.annotations.NullMarked;
