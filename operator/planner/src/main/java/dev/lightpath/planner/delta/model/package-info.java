/** The question to DELTA: the transfers of one iteration, the pods they join, and a topology between the pods. */
@NullMarked
package dev.lightpath.planner.delta.model;

import org.jspecify.annotations.NullMarked;
