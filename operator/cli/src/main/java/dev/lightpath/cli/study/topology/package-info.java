/** The studies of topologies: twisted tori, PolarFly, resilience, bisection, rewiring. */
@NullMarked
package dev.lightpath.cli.study.topology;

import org.jspecify.annotations.NullMarked;
