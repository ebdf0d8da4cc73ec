package dev.lightpath.app.job.facts;

import dev.lightpath.crds.slice.RecordedTraffic;
import java.util.Optional;

/**
 * Recorded traffic of a job.
 *
 * @param recorded as its slice has it or, before it has a place, as it was read; empty when none is asked for
 * @param problem why it cannot be read: where, what, what is allowed
 * @param awaited that it is not read yet, and what that waits for; empty where a slice says what was read before
 */
public record TrafficFacts(Optional<RecordedTraffic> recorded, Optional<String> problem, Optional<String> awaited) {
    public static TrafficFacts none() {
        return new TrafficFacts(Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static TrafficFacts of(Optional<RecordedTraffic> recorded) {
        return new TrafficFacts(recorded, Optional.empty(), Optional.empty());
    }

    public static TrafficFacts refused(String problem) {
        return new TrafficFacts(Optional.empty(), Optional.of(problem), Optional.empty());
    }

    public static TrafficFacts awaited(String what) {
        return new TrafficFacts(Optional.empty(), Optional.empty(), Optional.of(what));
    }

    /** What an earlier reading said, as long as the next one is not over. */
    public TrafficFacts or(Optional<RecordedTraffic> before) {
        return awaited.isPresent() && before.isPresent() ? of(before) : this;
    }
}
