/** The devices of a plant, their ports and the fibres between them. */
@NullMarked
package dev.lightpath.sim.core.plant;

import org.jspecify.annotations.NullMarked;
