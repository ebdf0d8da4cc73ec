package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.fault.ToldFaults;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fault book of a fabric at the beginning of a pass.
 *
 * @param before as the pass before left it, or as an earlier process told of it
 * @param cleared the same without what a person cleared
 */
record OpenedFaults(FaultBook before, FaultBook cleared, FaultBook.Policy policy) {
    /**
     * @param told what an earlier process told of
     * @param clear health that ends a fault
     * @param clearances when a person cleared the faults of a node or device, by its name; a time to come clears nothing yet,
     *     because it would clear again at every pass
     */
    static OpenedFaults of(
            World world, String fabric, ToldFaults told, Duration clear, Map<String, Instant> clearances) {
        FaultBook known = world.faults().get(fabric);
        FaultBook before = known == null ? FaultBook.opened(world.now(), told) : known;
        FaultBook.Policy policy = FaultBook.Policy.standard(clear);
        Map<String, Instant> due = new TreeMap<>(clearances);
        due.values().removeIf(world.now()::isBefore);
        return new OpenedFaults(before, before.cleared(due, policy), policy);
    }

    /** The cleared book with what is still to be proved. */
    FaultBook proving(Map<Subject, Instant> unproved) {
        return cleared.proving(unproved);
    }
}
