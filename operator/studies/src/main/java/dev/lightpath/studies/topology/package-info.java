/** The studies of topologies: twisted tori, PolarFly, resilience, bisection, rewiring. */
@NullMarked
package dev.lightpath.studies.topology;

import org.jspecify.annotations.NullMarked;
