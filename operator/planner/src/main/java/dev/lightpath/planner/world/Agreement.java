package dev.lightpath.planner.world;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * That a job is asked before light of its running pods moves on purpose.
 *
 * @param limit how long its answer is waited for, from the announcement
 * @param agreed the revisions that it agrees to move to
 */
public record Agreement(Duration limit, SortedSet<Long> agreed) {
    public Agreement {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("limit " + limit + "; a job that waits for nothing is not asked");
        }
        agreed = Collections.unmodifiableSortedSet(new TreeSet<>(agreed));
    }

    /** Without an answer. */
    public static Agreement within(Duration limit) {
        return new Agreement(limit, Collections.emptySortedSet());
    }

    /** With the answer to a revision too. */
    public Agreement to(long revision) {
        SortedSet<Long> more = new TreeSet<>(agreed);
        more.add(revision);
        return new Agreement(limit, more);
    }

    /** Whether the job agrees to this very revision. */
    public boolean agrees(long revision) {
        return agreed.contains(revision);
    }

    /** The latest revision that the job names, 0 where it names none. */
    long latest() {
        return agreed.isEmpty() ? 0 : agreed.last();
    }
}
