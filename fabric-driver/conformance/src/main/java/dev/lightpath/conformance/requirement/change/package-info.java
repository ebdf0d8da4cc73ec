/** How a change is judged, carried out, confirmed and put back. */
@NullMarked
package dev.lightpath.conformance.requirement.change;

import org.jspecify.annotations.NullMarked;
