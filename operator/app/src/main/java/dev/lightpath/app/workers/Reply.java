package dev.lightpath.app.workers;

import dev.lightpath.proto.solver.v1alpha1.Solution;

/** What came of asking one worker. */
sealed interface Reply {
    /** A solution that nobody has checked. */
    record Said(Solution solution) implements Reply {}

    /** Every place is taken. */
    record Busy() implements Reply {}

    /**
     * The worker does not answer, or went away.
     *
     * @param lost whether it was lost while it searched, perhaps by the search
     */
    record Away(String why, boolean lost) implements Reply {}

    /** What it said is no answer. */
    record Wrong(String why) implements Reply {}

    /** The question is none, says the worker. */
    record Refused(String why) implements Reply {}

    /** The search itself ended without an answer, or did not stop: another worker would fare no better. */
    record Failed(String why) implements Reply {}
}
