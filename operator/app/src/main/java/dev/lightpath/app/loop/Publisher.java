package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.World;
import java.util.function.BooleanSupplier;

/** Tells the cluster how everything stands. */
public interface Publisher {
    /** Takes the outcome of a pass and returns at once; only what changed is written. */
    void publish(World world, Deliberation deliberation);

    /**
     * This process plans from now on.
     *
     * @param leads whether it still may: asked before each write, since {@link #ended} may be told late. Waits for
     *     nothing
     */
    default void begun(BooleanSupplier leads) {}

    /**
     * Another process may plan from now on: nothing more is told of what was published, or will be until this one plans
     * again.
     */
    default void ended() {}
}
