package dev.lightpath.driver;

import java.util.Set;

/** The conformance kit on a switch that needs 150 ms for each answer. */
abstract class SlowAnswersConformance extends ManagedConformance {
    /** Where the time of an answer counts most. The whole kit takes a quarter of an hour on such a switch. */
    private static final Set<String> JUDGED = Set.of(
            "circuits/apply-and-read-back",
            "circuits/already-so",
            "circuits/swap",
            "conflict/update-replaces-own",
            "crash/operation-under-way",
            "foreign/left-alone",
            "foreign/told",
            "idempotency/same-operation-twice",
            "idempotency/while-it-runs",
            "operations/applied-means-settled",
            "operations/cancelled-while-it-runs",
            "operations/in-progress",
            "operations/one-at-a-time",
            "partial/all-or-nothing",
            "partial/best-effort",
            "silence/told");

    @Override
    final boolean isJudged(String requirement) {
        return JUDGED.contains(requirement);
    }
}
