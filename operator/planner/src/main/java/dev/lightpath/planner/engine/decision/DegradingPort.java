package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;

/**
 * A port whose light gets worse, and what becomes of it.
 *
 * @param port of a switch or of a ring's node, whose circuits are concerned. Where light is measured at the far end and
 *     no port of a switch is known to lead to it, the port of the far end. A switch that gets worse as a whole
 */
public record DegradingPort(Subject port, Finding finding, Course course) {
    /** What is done about it. */
    public enum Course {
        /** Nothing: it is told. */
        TOLD,
        /** It becomes a fault in a moment. */
        LEAVING,
        /** It is out of use: circuits leave it as those of any faulty port. */
        TAKEN_OUT,
        /** It stays in use, because its circuits find no other place. */
        HELD
    }
}
