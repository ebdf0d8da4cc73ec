package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Answer;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Jobs that ask for it are told before light of their running pods moves on purpose. The record that moves it carries
 * the announcement. Until it also carries an answer, no change takes that light down. A job that a fault has struck is
 * not asked: its own loss never waits. Serves one pass.
 */
final class AnnouncedMoves {
    private final CircuitDiff circuits;
    private final Instant now;

    AnnouncedMoves(CircuitDiff circuits) {
        this.circuits = circuits;
        this.now = circuits.state().world().now();
    }

    /**
     * What to record, with what is announced and answered. O(slices + faults * records that move).
     *
     * @param drafted what is recorded for other reasons
     * @param slices of the fabric, by id
     */
    List<Decision.Adopt.Entry> entries(List<Decision.Adopt.Entry> drafted, SortedMap<SliceId, SliceState> slices) {
        List<Decision.Adopt.Entry> entries = new ArrayList<>();
        Set<SliceId> written = new HashSet<>();
        for (Decision.Adopt.Entry entry : drafted) {
            written.add(entry.slice());
            SliceState slice = slices.get(entry.slice());
            entries.add(
                    slice == null
                            ? entry
                            : new Decision.Adopt.Entry(
                                    entry.slice(), entry.version(), told(slice, entry.allocation())));
        }
        for (SliceState slice : slices.values()) {
            if (!written.contains(slice.id()) && CircuitDiff.isHeld(slice)) {
                answered(slice)
                        .ifPresent(next -> entries.add(new Decision.Adopt.Entry(slice.id(), slice.version(), next)));
            }
        }
        return entries;
    }

    /** When the first limit of those that wait for an answer passes. */
    static Optional<Instant> wakeAt(Collection<SliceState> slices) {
        return slices.stream()
                .flatMap(slice -> slice.recorded().stream())
                .filter(Allocation::awaitsAnswer)
                .flatMap(recorded -> recorded.announcement().stream())
                .map(Announcement::until)
                .min(Comparator.naturalOrder());
    }

    /** A revision that moves light is announced; while an earlier one waits, the limit of that one counts on. */
    private Allocation told(SliceState slice, Allocation next) {
        Allocation before = slice.recorded().orElse(null);
        Agreement agreement = slice.intent().agreement().orElse(null);
        if (before == null || agreement == null || !isAsked(slice, next) || before.revision() == next.revision()) {
            return next;
        }
        Optional<Announcement> open = before.announcement().filter(Announcement::open);
        if (circuits.isHurt(before) || open.isEmpty() && !circuits.moves(slice, next)) {
            return next;
        }
        return next.announced(open.orElseGet(() -> new Announcement(now, now.plus(agreement.limit()))));
    }

    private static boolean isAsked(SliceState slice, Allocation next) {
        return slice.intent().wanted()
                && slice.intent().workload().usesLight()
                && (!next.groups().isEmpty() || !next.circuits().isEmpty());
    }

    private Optional<Allocation> answered(SliceState slice) {
        Allocation recorded = slice.recorded().orElseThrow();
        Announcement announcement = recorded.announcement().orElseThrow();
        return answer(slice, recorded, announcement)
                .map(kind -> recorded.announced(announcement.answered(new Answer(kind, now))));
    }

    private Optional<Kind> answer(SliceState slice, Allocation recorded, Announcement announcement) {
        Agreement agreement = slice.intent().agreement().orElse(null);
        if (agreement == null || !isAsked(slice, recorded)) {
            return Optional.of(Kind.NOT_NEEDED);
        }
        if (agreement.agrees(recorded.revision())) {
            return Optional.of(Kind.AGREED);
        }
        if (circuits.isHurt(recorded)) {
            return Optional.of(Kind.LIGHT_LOST);
        }
        return now.isBefore(announcement.until()) ? Optional.empty() : Optional.of(Kind.LIMIT_PASSED);
    }
}
