package dev.lightpath.planner.delta.simulation;

import java.util.List;

/**
 * When each task of an iteration runs (S_m and C_m of Eqs. 15 and 16).
 *
 * @param makespanSeconds end of the last task, seconds after the start of the iteration (C of Eq. 18)
 * @param tasks one entry per task, in the instance's order
 */
public record Schedule(double makespanSeconds, List<Times> tasks) {
    /** Keeps a copy; O(tasks). */
    public Schedule {
        tasks = List.copyOf(tasks);
    }

    /** Start and end of one task, seconds after the start of the iteration. */
    public record Times(double startSeconds, double endSeconds) {}
}
