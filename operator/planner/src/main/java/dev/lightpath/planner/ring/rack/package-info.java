/**
 * Placement with regard to racks: which groups are below the same top-of-rack switches, so that traffic other than
 * tensor-parallel stays there (InfinitePOD section 4.3, Algorithms 1 and 3 to 5, and better ones).
 *
 * <p>Start at {@link RackOrchestration}.
 */
@NullMarked
package dev.lightpath.planner.ring.rack;

import org.jspecify.annotations.NullMarked;
