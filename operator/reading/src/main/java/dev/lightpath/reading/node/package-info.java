/** Nodes: what of a Node the planner reads, its signals, and its place on a ring by its labels. */
@NullMarked
package dev.lightpath.reading.node;

import org.jspecify.annotations.NullMarked;
