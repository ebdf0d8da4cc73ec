package dev.lightpath.app.loop;

import dev.lightpath.planner.ask.TopologyAnswer;
import java.time.Duration;

/** Hears what is solved, for metrics. From any thread; must not wait. */
public interface SolvingMeter {
    /** A question was answered, {@code elapsed} after its last try began. */
    void solved(TopologyAnswer answer, Duration elapsed);

    /** So many threads were left alone because they do not stop, and have not ended since. */
    void abandoned(int threads);
}
