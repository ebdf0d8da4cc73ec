package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one pass will record, who worked it out and when it wants to be asked again. Filled as the pass decides; serves
 * one thread.
 */
public final class LedgerDraft {
    private final List<Decision.Adopt.Entry> losses = new ArrayList<>();
    private final List<Decision.Adopt.Entry> gains = new ArrayList<>();
    private final Set<SliceId> decided = new HashSet<>();
    private final Map<SliceId, JobId> roomFor = new HashMap<>();
    private Optional<Planner> planner = Optional.empty();
    private Optional<Instant> wakeAt = Optional.empty();

    /** What to record, losers before winners. */
    public List<Decision.Adopt.Entry> entries() {
        List<Decision.Adopt.Entry> entries = new ArrayList<>(losses);
        entries.addAll(gains);
        return entries;
    }

    /** Slices about which the pass has decided. */
    public Set<SliceId> decided() {
        return Collections.unmodifiableSet(decided);
    }

    /** The most laborious planner that ran. */
    public Optional<Planner> planner() {
        return planner;
    }

    public Optional<Instant> wakeAt() {
        return wakeAt;
    }

    public void lose(SliceState slice, Allocation next) {
        record(losses, slice, next);
    }

    public void gain(SliceState slice, Allocation next) {
        record(gains, slice, next);
    }

    /** Other groups or circuits of switches. A slice that gives circuits up comes before those that take them. */
    public void change(SliceState slice, SliceDecision.Change change) {
        Allocation next = slice.light(change.groups(), change.light(), Optional.of(change.origin()))
                .expecting(change.prediction());
        record(slice.circuits().minus(change.light()).isEmpty() ? gains : losses, slice, next);
    }

    private void record(List<Decision.Adopt.Entry> entries, SliceState slice, Allocation next) {
        decided.add(slice.id());
        entries.add(new Decision.Adopt.Entry(slice.id(), slice.version(), next));
    }

    /** A slice moves only so that a job gets a place. */
    public void makesRoom(SliceId slice, JobId job) {
        roomFor.put(slice, job);
    }

    /** Which job is to get the room that each of these slices makes. */
    public Map<SliceId, JobId> roomFor() {
        return Collections.unmodifiableMap(roomFor);
    }

    /** The record of a slice stays as it is in this pass. */
    public void settle(SliceState slice) {
        decided.add(slice.id());
    }

    public void ran(Planner which) {
        planner = Optional.of(
                planner.filter(before -> before.compareTo(which) > 0).orElse(which));
    }

    public void wake(Instant due) {
        wakeAt = Optional.of(wakeAt.filter(due::isAfter).orElse(due));
    }
}
