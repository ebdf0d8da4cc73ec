/**
 * Twisted three-dimensional tori on cubes of 4x4x4 chips and 48 optical switches: definition, traffic, choice of a
 * twist, circuits. Source: Gottipati et al., "Investigating Reconfigurable Topologies for Optical Circuits". Start
 * reading at {@link dev.lightpath.planner.torus.TwistedTorus}.
 */
@NullMarked
package dev.lightpath.planner.torus;

import org.jspecify.annotations.NullMarked;
