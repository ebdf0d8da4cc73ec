/** What survives a restart of the driver. */
@NullMarked
package dev.lightpath.conformance.requirement.restart;

import org.jspecify.annotations.NullMarked;
