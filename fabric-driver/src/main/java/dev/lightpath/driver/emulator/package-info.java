/** The adapter to emulated hardware (lightpath.emulator.v1alpha1). */
@NullMarked
package dev.lightpath.driver.emulator;

import org.jspecify.annotations.NullMarked;
