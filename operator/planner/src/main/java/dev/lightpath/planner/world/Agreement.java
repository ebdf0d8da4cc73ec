package dev.lightpath.planner.world;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * That a job is asked before light of its running pods moves on purpose.
 *
 * @param limit how long its answer is waited for, from the announcement
 * @param agreed the revision of the record that it agrees to
 */
public record Agreement(Duration limit, OptionalLong agreed) {
    public Agreement {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("limit " + limit + "; a job that waits for nothing is not asked");
        }
    }

    /** Without an answer. */
    public static Agreement within(Duration limit) {
        return new Agreement(limit, OptionalLong.empty());
    }

    /** With the answer to a revision. */
    public Agreement to(long revision) {
        return new Agreement(limit, OptionalLong.of(revision));
    }

    /** Whether the job agrees to this very revision. */
    public boolean agrees(long revision) {
        return agreed.isPresent() && agreed.getAsLong() == revision;
    }
}
