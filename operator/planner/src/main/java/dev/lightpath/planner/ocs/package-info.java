/**
 * Topologies on the optical switches of a real fabric: which circuit goes on which port, around what has failed, moving
 * as little light as can be. Start reading at {@link dev.lightpath.planner.ocs.LinkPlan}.
 */
@NullMarked
package dev.lightpath.planner.ocs;

import org.jspecify.annotations.NullMarked;
