/**
 * Which fabrics must be led by one process, and which of several processes leads which. It knows names only: what
 * fabrics have in common is told from outside, and who holds what is a matter of Leases.
 */
@NullMarked
package dev.lightpath.planner.share;

import org.jspecify.annotations.NullMarked;
