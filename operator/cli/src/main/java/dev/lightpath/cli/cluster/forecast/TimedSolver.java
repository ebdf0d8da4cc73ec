package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * DELTA, which answers with the best it has found once the time limit of the job is over.
 *
 * @param nanoTime a clock that never goes back, nanoseconds
 */
record TimedSolver(LongSupplier nanoTime) implements Function<TopologyQuestion, TopologyAnswer> {
    @Override
    public TopologyAnswer apply(TopologyQuestion question) {
        long began = nanoTime.getAsLong();
        long limit = question.timeLimit().toNanos();
        return question.answer(
                new DeltaPlanner(), SearchLimits.standard().stoppingWhen(() -> nanoTime.getAsLong() - began > limit));
    }
}
