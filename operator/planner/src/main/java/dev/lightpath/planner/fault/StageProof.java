package dev.lightpath.planner.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Ends of links that stages made, of which too few pass yet. Until enough of them do, no stage takes down light in use:
 * what went wrong with the stage before may go wrong with all. The wait ends when their darkness is believed, so a dead
 * transceiver holds up nobody for longer. Immutable; {@link #advance} gives the proof of the next pass.
 *
 * @param links ends that are waited for, those that pass already included
 * @param since when the first of them was made; empty if none is waited for
 * @param overdue ends that do not pass and are no longer waited for
 */
public record StageProof(Set<Subject> links, Optional<Instant> since, Set<Subject> overdue) {
    /** Nothing is waited for. */
    public static final StageProof NONE = new StageProof(Set.of(), Optional.empty(), Set.of());

    public StageProof {
        links = Collections.unmodifiableSet(new HashSet<>(links));
        overdue = Collections.unmodifiableSet(new HashSet<>(overdue));
    }

    /**
     * Linear in ends.
     *
     * @param made ends that stages made and that were not seen to pass before
     * @param failing ends that do not pass now
     * @param minimumPercent of the ends that are waited for; once so many pass, the rest is waited for no longer
     * @param patience how long they are waited for at most
     */
    public StageProof advance(
            Instant now, Set<Subject> made, Set<Subject> failing, int minimumPercent, Duration patience) {
        if (links.isEmpty() && overdue.isEmpty() && made.isEmpty()) {
            return this;
        }
        Set<Subject> late = both(overdue, failing);
        Set<Subject> all = new HashSet<>(links);
        made.stream().filter(end -> !late.contains(end)).forEach(all::add);
        if (all.isEmpty()) {
            return new StageProof(Set.of(), Optional.empty(), late);
        }
        Instant began = since.orElse(now);
        Set<Subject> left = both(all, failing);
        boolean enough = 100L * (all.size() - left.size()) >= (long) minimumPercent * all.size();
        if (enough || !now.isBefore(began.plus(patience))) {
            late.addAll(left);
            return new StageProof(Set.of(), Optional.empty(), late);
        }
        return new StageProof(all, Optional.of(began), late);
    }

    private static Set<Subject> both(Set<Subject> some, Set<Subject> others) {
        Set<Subject> both = new HashSet<>(some);
        both.retainAll(others);
        return both;
    }

    /** Whether too few links of the stages before pass. */
    public boolean awaits() {
        return !links.isEmpty();
    }

    /** When the wait ends in any case; empty if nothing is waited for. */
    public Optional<Instant> endsAt(Duration patience) {
        return since.map(began -> began.plus(patience));
    }

    /** The same after the wall clock was set. */
    StageProof moved(Duration by) {
        return new StageProof(links, since.map(began -> began.plus(by)), overdue);
    }
}
