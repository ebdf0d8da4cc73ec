package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.DeviceId;
import java.util.SortedSet;

/** Announces planned darkness to link monitors. */
@FunctionalInterface
public interface PlannedDarkness {
    /**
     * Returns at once.
     *
     * @param change with the nodes to be told
     * @param then run once, from any thread, when they are told or that takes too long
     */
    void announce(Decision.Apply change, Runnable then);

    /**
     * A change that is about to be decided will darken these nodes, unless something comes in between. Returns at once.
     *
     * @param nodes to be told already, so that the change need not wait
     */
    default void foretell(SortedSet<String> nodes) {}

    /**
     * The device has its outcome: as far as this change goes, it is dark no more. Returns at once.
     *
     * @param device whose node may have been told
     */
    default void over(DeviceId device) {}
}
