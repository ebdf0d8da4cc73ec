package dev.lightpath.planner.learn;

import dev.lightpath.planner.ask.Speeds;
import java.util.List;

/** How long an iteration takes by the model: homogeneous of degree -1 in both speeds. */
@FunctionalInterface
public interface IterationModel {
    /**
     * Seconds of one iteration.
     *
     * @param circuits one count per group of the instance
     */
    double seconds(Speeds speeds, List<Integer> circuits);
}
