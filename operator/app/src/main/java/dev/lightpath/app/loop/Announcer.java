package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.Decision;

/** Tells those who watch links of darkness that is planned. */
@FunctionalInterface
public interface Announcer {
    /**
     * Returns at once.
     *
     * @param change with the nodes to be told
     * @param then run once, from any thread, when they are told or that takes too long
     */
    void announce(Decision.Apply change, Runnable then);
}
