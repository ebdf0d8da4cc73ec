package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.World;

/** Tells the cluster how everything stands. */
public interface Publisher {
    /** Takes the outcome of a pass and returns at once; only what changed is written. */
    void publish(World world, Deliberation deliberation);

    /** This process plans from now on. */
    default void begun() {}

    /**
     * Another process may plan from now on: nothing more is told of what was published, or will be until this one plans
     * again.
     */
    default void ended() {}
}
