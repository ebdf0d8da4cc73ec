package dev.lightpath.planner.world;

import dev.lightpath.planner.polarfly.Expansion;
import dev.lightpath.planner.torus.Shape;
import java.util.List;

/** The topology that the optical switches make of the pods. */
public sealed interface OcsTopology {
    /** Circuits as the jobs need them, without a topology of the fabric itself. */
    record Logical() implements OcsTopology {}

    /**
     * Racks as a PolarFly network.
     *
     * @param order a power of a prime
     * @param copies clusters added since, in order
     */
    record PolarFly(int order, List<Expansion.Method> copies) implements OcsTopology {
        public PolarFly {
            copies = List.copyOf(copies);
        }
    }

    /** Cubes of 4x4x4 chips in a box. */
    record TwistedTorus(Shape cubes) implements OcsTopology {}
}
