/** Repairs after a fault, and room for a job, with as few groups changed as possible. */
@NullMarked
package dev.lightpath.planner.ring.repair;

import org.jspecify.annotations.NullMarked;
