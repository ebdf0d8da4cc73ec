package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.OpticalHealth;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The fault tracker of a fabric at the beginning of a pass.
 *
 * @param before as the pass before left it, or as an earlier process told of it
 * @param cleared the same without what a person cleared
 * @param clearances by name of the node or switch, the moment of it
 */
record OpenedFaults(
        FaultTracker before, FaultTracker cleared, FaultTracker.Policy policy, Map<String, Instant> clearances) {
    /** A clearance by a clock that runs ahead clears nothing yet: it would clear again at every pass. */
    static OpenedFaults of(World world, FabricIntent intent, SortedMap<String, Instant> clearances) {
        FaultTracker known = world.faults().get(intent.name());
        FaultTracker before = known == null ? FaultTracker.opened(world.now(), intent.recordedFaults()) : known;
        FaultTracker.Policy policy =
                FaultTracker.Policy.standard(intent.policy().clear());
        Map<String, Instant> due = new TreeMap<>(clearances);
        due.values().removeIf(world.now()::isBefore);
        return new OpenedFaults(before, before.cleared(due, policy), policy, due);
    }

    /** What is known of light, without what a person cleared. */
    OpticalHealth cleared(OpticalHealth light) {
        return clearances.isEmpty() ? light : light.cleared(clearances);
    }

    /** The cleared tracker with what is still to be proved, and the links of stages that are waited for. */
    FaultTracker proving(Map<Subject, Instant> unproved, StageLinks links, Instant now) {
        return links.awaited(before, cleared.proving(unproved), now);
    }
}
