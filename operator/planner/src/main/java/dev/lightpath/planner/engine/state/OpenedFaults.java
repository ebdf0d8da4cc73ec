package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.World;
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
    /** A clearance by a clock that runs ahead clears nothing yet: it would clear again at every pass. */
    static OpenedFaults of(World world, FabricIntent intent) {
        FaultBook known = world.faults().get(intent.name());
        FaultBook before = known == null ? FaultBook.opened(world.now(), intent.toldFaults()) : known;
        FaultBook.Policy policy = FaultBook.Policy.standard(intent.policy().clear());
        Map<String, Instant> due = new TreeMap<>(intent.clearances());
        due.values().removeIf(world.now()::isBefore);
        return new OpenedFaults(before, before.cleared(due, policy), policy);
    }

    /** The cleared book with what is still to be proved. */
    FaultBook proving(Map<Subject, Instant> unproved) {
        return cleared.proving(unproved);
    }
}
