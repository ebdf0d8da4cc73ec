package dev.lightpath.app.job;

import dev.lightpath.crds.slice.RecordedTraffic;
import java.util.Optional;

/**
 * Recorded traffic of a job.
 *
 * @param recorded as its slice has it or, before it has a place, as it was just read; empty when none is asked for
 * @param problem why it cannot be read: where, what, what is allowed
 */
record TrafficFacts(Optional<RecordedTraffic> recorded, Optional<String> problem) {
    static TrafficFacts none() {
        return new TrafficFacts(Optional.empty(), Optional.empty());
    }
}
