/**
 * PolarFly: Erdos-Renyi polarity graphs as networks, their layout, growth, routing and planes of optical switches.
 * Source: Lakhotia et al., "PolarFly: A Cost-Effective and Flexible Low-Diameter Topology". Start reading at
 * {@link dev.lightpath.planner.polarfly.PolarFly}.
 */
@NullMarked
package dev.lightpath.planner.polarfly;

import org.jspecify.annotations.NullMarked;
