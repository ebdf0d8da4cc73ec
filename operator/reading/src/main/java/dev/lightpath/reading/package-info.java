/**
 * What Kubernetes says, turned into what the planner reads: resource in, planner value out. Pure; the operator feeds it
 * from its informers, the command line from one listing.
 */
@NullMarked
package dev.lightpath.reading;

import org.jspecify.annotations.NullMarked;
