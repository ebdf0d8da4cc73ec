package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.memory.PlannerCache;

/** How the plans of two passes are related. */
public final class RingPlans {
    private RingPlans() {}

    /** Whether the plan of a ring is another one than that of the pass before, and went on from that. */
    public static boolean goesOn(PlannerCache before, PlannerCache after) {
        return after.get(RingPlan.SLOT)
                .flatMap(plan -> before.get(RingPlan.SLOT).filter(last -> last != plan && plan.mayGoOnFrom(last)))
                .isPresent();
    }
}
