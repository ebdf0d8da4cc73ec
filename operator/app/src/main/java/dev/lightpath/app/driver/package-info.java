/**
 * The drivers as the planning loop sees them: one stream per driver server folded into
 * {@link dev.lightpath.planner.light.DriverState}, changes sent and their outcomes resolved. The only package of the
 * operator that knows gRPC and the wire; nothing of either leaves it. Start reading at {@link DriverFleet}.
 */
@NullMarked
package dev.lightpath.app.driver;

import org.jspecify.annotations.NullMarked;
