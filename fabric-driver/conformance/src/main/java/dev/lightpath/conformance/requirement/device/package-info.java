/** What a driver says of itself, its devices and their circuits. */
@NullMarked
package dev.lightpath.conformance.requirement.device;

import org.jspecify.annotations.NullMarked;
