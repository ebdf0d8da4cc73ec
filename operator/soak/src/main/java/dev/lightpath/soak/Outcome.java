package dev.lightpath.soak;

import dev.lightpath.soak.script.Script;
import java.time.Instant;
import java.util.List;

/**
 * A whole replay.
 *
 * @param began by the clock
 * @param played moments in order
 * @param findings of all moments and of the end
 * @param checks how many times records, statuses and light were held against each other
 * @param massFailures how often the operator stopped all moves, each ended by the study as a person would
 * @param cleared how often a node was quarantined and, well again, cleared by the study as a person would
 * @param circuits circuits in the light of the environment, dark or lit
 */
record Outcome(
        Instant began,
        Script script,
        List<Played> played,
        List<Finding> findings,
        int checks,
        int massFailures,
        int cleared,
        double seconds) {
    Outcome {
        played = List.copyOf(played);
        findings = List.copyOf(findings);
    }
}
