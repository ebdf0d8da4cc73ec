package dev.lightpath.conformance.report;

/** What came of one requirement. */
public sealed interface Verdict {
    /** It is met. */
    record Passed() implements Verdict {}

    /** It is not. */
    record Failed(String expected, String seen) implements Verdict {}

    /** It could not be judged. */
    record Skipped(String why) implements Verdict {}
}
