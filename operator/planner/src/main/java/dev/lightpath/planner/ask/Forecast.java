package dev.lightpath.planner.ask;

import java.util.List;

/**
 * Names a prediction by all that it depends on: {@link TopologyQuestion#predict}.
 *
 * @param question digest of the question
 */
public record Forecast(String question, List<Integer> circuits, double lowerBoundSeconds) {
    public Forecast {
        circuits = List.copyOf(circuits);
    }

    /** About as many as this and its prediction take, which names the same counts. */
    public long bytes() {
        return 1024 + 40L * circuits.size();
    }
}
