/** Undirected graphs in compact form, their distances, cuts and traffic: what topologies are measured with. */
@NullMarked
package dev.lightpath.planner.graph;

import org.jspecify.annotations.NullMarked;
