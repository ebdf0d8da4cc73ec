package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.Deliberation;
import java.time.Duration;

/** Hears of every pass, for metrics. */
public interface PassMeter {
    void passed(Deliberation deliberation, Duration elapsed);
}
