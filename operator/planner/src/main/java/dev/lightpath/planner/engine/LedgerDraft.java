package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What one pass will record, who worked it out and when it wants to be asked again. Filled as the pass decides; serves one thread. */
final class LedgerDraft {
    private final List<Decision.Adopt.Entry> losses = new ArrayList<>();
    private final List<Decision.Adopt.Entry> gains = new ArrayList<>();
    private final Set<SliceId> decided = new HashSet<>();
    private Optional<Planner> planner = Optional.empty();
    private Optional<Instant> wakeAt = Optional.empty();

    /** What to record, losers before winners. */
    List<Decision.Adopt.Entry> entries() {
        List<Decision.Adopt.Entry> entries = new ArrayList<>(losses);
        entries.addAll(gains);
        return entries;
    }

    /** Slices about which the pass has decided. */
    Set<SliceId> decided() {
        return Collections.unmodifiableSet(decided);
    }

    /** The most laborious planner that ran. */
    Optional<Planner> planner() {
        return planner;
    }

    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    void lose(Claim claim, Allocation next) {
        record(losses, claim, next);
    }

    void gain(Claim claim, Allocation next) {
        record(gains, claim, next);
    }

    private void record(List<Decision.Adopt.Entry> entries, Claim claim, Allocation next) {
        decided.add(claim.id());
        entries.add(new Decision.Adopt.Entry(claim.id(), claim.version(), next));
    }

    void ran(Planner which) {
        planner = Optional.of(
                planner.filter(before -> before.compareTo(which) > 0).orElse(which));
    }

    void wake(Instant due) {
        wakeAt = Optional.of(wakeAt.filter(due::isAfter).orElse(due));
    }
}
