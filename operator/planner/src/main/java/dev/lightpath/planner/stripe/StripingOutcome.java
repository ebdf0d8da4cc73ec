package dev.lightpath.planner.stripe;

import java.util.List;

/** What came of a {@link StripingRequest}. */
public sealed interface StripingOutcome {

    /**
     * A striping.
     *
     * @param switches one entry per switch, in order
     * @param moved circuits that are not where they were: requested minus kept
     * @param lowerBound circuits that must be new in any striping, sum over pairs of max(0, requested - present)
     * @param kept circuits on exactly the ports they had before
     */
    record Striped(List<SwitchCircuits> switches, int moved, int lowerBound, int kept) implements StripingOutcome {
        public Striped {
            switches = List.copyOf(switches);
        }
    }

    /**
     * No striping.
     *
     * @param reason which pods or switches prevent it, one line
     * @param proved true if none exists, false if none was found within the search's budget
     */
    record Infeasible(String reason, boolean proved) implements StripingOutcome {}
}
