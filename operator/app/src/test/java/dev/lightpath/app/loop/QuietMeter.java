package dev.lightpath.app.loop;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.ChangeOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Predicate;

/** A meter that hears only what a test overrides. */
public interface QuietMeter extends PassMeter {
    @Override
    default void solved(TopologyAnswer answer, Duration elapsed) {}

    @Override
    default void abandoned(int threads) {}

    @Override
    default void passed(Deliberation deliberation, Duration elapsed) {}

    @Override
    default void waited(Duration elapsed) {}

    @Override
    default void failed() {}

    @Override
    default void differs() {}

    @Override
    default void applied(ChangeOutcome outcome, Duration elapsed) {}

    @Override
    default void faultToLight(Duration elapsed) {}

    @Override
    default void certificates(SortedMap<String, Instant> expire) {}

    @Override
    default void fabrics(SortedSet<String> known, Predicate<String> led) {}

    @Override
    default void ended() {}
}
