package dev.lightpath.planner.delta;

import java.util.List;

/**
 * When each task of an iteration runs.
 *
 * @param makespanSeconds end of the last task
 * @param tasks one entry per task, in the instance's order
 */
public record Schedule(double makespanSeconds, List<Times> tasks) {
    public Schedule {
        tasks = List.copyOf(tasks);
    }

    /** Start and end of one task, seconds after the start of the iteration. */
    public record Times(double startSeconds, double endSeconds) {}
}
