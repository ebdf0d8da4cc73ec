package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.ChangeOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Predicate;

/** Hears what the loop does, for metrics. From any thread; must not wait. */
public interface PassMeter extends SolvingMeter {
    /** A pass ended after {@code elapsed}. */
    void passed(Deliberation deliberation, Duration elapsed);

    /** News waited for {@code elapsed} until the loop took it up. */
    void waited(Duration elapsed);

    /** A pass ended by an error: a defect, since the planner has a verdict for everything. */
    void failed();

    /** A pass concluded otherwise than it would have from nothing: a defect of what passes remember. */
    void differs();

    /** A device answered, {@code elapsed} after it was asked. */
    void applied(ChangeOutcome outcome, Duration elapsed);

    /** A repair's last device acknowledged, {@code elapsed} after the fault was heard of, switching time taken out. */
    void faultToLight(Duration elapsed);

    /** Until when the certificates hold that the operator shows to drivers, by where they were read. */
    void certificates(SortedMap<String, Instant> expire);

    /**
     * The fabrics that exist.
     *
     * @param led whether this process leads one now; asked from any thread at any time
     */
    void fabrics(SortedSet<String> known, Predicate<String> led);

    /** Another process may plan from now on, so the results of the last pass are no longer valid. */
    void ended();
}
