package dev.lightpath.planner.delta.iteration;

import java.util.List;

/**
 * What each rank of a job does in one iteration, and what it waits for.
 *
 * @param name for people
 * @param ranks the steps of rank 0, 1, ...
 * @param sources where the steps of each rank were read; empty when they were not
 */
public record ExecutionTrace(String name, List<List<TraceStep>> ranks, List<String> sources) {
    private static final int MOST_STEPS = 1 << 20;

    /** @throws IllegalArgumentException when there is no rank or more than {@value #MOST_STEPS} steps; O(ranks) */
    public ExecutionTrace {
        sources = List.copyOf(sources);
        ranks = ranks.stream().map(List::copyOf).toList();
        long steps = ranks.stream().mapToLong(List::size).sum();
        if (ranks.isEmpty() || steps > MOST_STEPS) {
            throw new IllegalArgumentException(name + ": " + ranks.size() + " ranks with " + steps
                    + " steps together, allowed: at least one rank, at most " + MOST_STEPS + " steps");
        }
    }
}
