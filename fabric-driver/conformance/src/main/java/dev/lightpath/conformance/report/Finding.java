package dev.lightpath.conformance.report;

import dev.lightpath.conformance.requirement.Requirement;

/** One requirement, judged. */
public record Finding(Requirement requirement, Verdict verdict, long tookMillis) {}
