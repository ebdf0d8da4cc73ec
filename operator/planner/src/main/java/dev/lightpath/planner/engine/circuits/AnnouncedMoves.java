package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.OverQuota;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Answer;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Jobs that ask for it are told before light of their running pods moves on purpose. Until the job has answered, its
 * record keeps the light that it has, and carries beside it what that is to become. So the light, its ports and its
 * nodes stay the slice's own, and everything judges the light that the job has. What it is to have is kept for it too.
 * A job that a fault has struck is not asked: its own loss never waits. Serves one pass.
 */
final class AnnouncedMoves {
    private final CircuitDiff circuits;
    private final Instant now;
    private final Map<SliceId, Optional<Kind>> endings = new HashMap<>();
    private final Lazy<SortedMap<SliceId, SliceVerdict>> overQuota;

    AnnouncedMoves(CircuitDiff circuits) {
        this.circuits = circuits;
        this.now = circuits.state().world().now();
        this.overQuota = new Lazy<>(() ->
                OverQuota.on(circuits.state().world(), circuits.state().intent().name()));
    }

    /** What ends the waiting of a slice that awaits an answer; empty while it waits on. */
    Optional<Kind> ending(SliceState slice) {
        return endings.computeIfAbsent(slice.id(), id -> judged(slice));
    }

    private Optional<Kind> judged(SliceState slice) {
        Allocation recorded = slice.recorded().orElseThrow();
        Announcement announcement = recorded.announcement().orElseThrow();
        Move move = recorded.awaited().orElseThrow();
        if (!slice.intent().isAsked()) {
            return Optional.of(Kind.NOT_NEEDED);
        }
        if (circuits.isHurt(recorded)) {
            return Optional.of(Kind.LIGHT_LOST);
        }
        if (move.roomFor().filter(job -> !isWithoutPlace(job)).isPresent()) {
            return Optional.of(Kind.NOT_NEEDED);
        }
        // before all devices were heard, after a restart, nobody knows which light burns and what is well
        boolean heard = circuits.state().synced();
        if (heard && !circuits.isOpen(slice, move)) {
            return Optional.of(Kind.NOT_NEEDED);
        }
        if (circuits.freeze().lasts()) {
            // nobody knows how long: an answer is about now, so it is asked for again
            return Optional.of(Kind.NOT_NEEDED);
        }
        if (slice.intent().agreement().orElseThrow().agrees(announcement.revision())) {
            return Optional.of(Kind.AGREED);
        }
        if (heard && !circuits.darkens(recorded, recorded.moved(announcement.revision(), move))) {
            return Optional.of(Kind.NOT_NEEDED);
        }
        return now.isBefore(announcement.until()) ? Optional.empty() : Optional.of(Kind.LIMIT_PASSED);
    }

    /** Whether a job, by its uid, still waits for a place on this fabric and may have one. O(slices). */
    private boolean isWithoutPlace(String job) {
        World world = circuits.state().world();
        return world.slices().values().stream()
                .anyMatch(slice -> slice.job().uid().equals(job)
                        && slice.fabric().equals(circuits.state().intent().name())
                        && slice.wanted()
                        && world.allocation(slice.id())
                                .filter(Allocation::placed)
                                .isEmpty()
                        && !overQuota.get().containsKey(slice.id()));
    }

    /** The record of a slice whose light moves, as its job was told. */
    Allocation moved(SliceState slice, Kind why) {
        Allocation recorded = slice.recorded().orElseThrow();
        Announcement announcement = recorded.announcement().orElseThrow();
        return recorded.moved(announcement.revision(), recorded.awaited().orElseThrow())
                .announced(announcement.answered(new Answer(why, now)));
    }

    /**
     * What to record: a move that a job is asked about is announced instead. What takes the place of light that stays
     * is left out, and so on. O(entries * slices that are kept * circuits).
     *
     * @param drafted in the order of writing: who gives up comes before who takes it over
     * @param slices of the fabric, by id
     * @param roomFor which job is to get the room that slices make
     */
    List<Decision.Adopt.Entry> entries(
            List<Decision.Adopt.Entry> drafted, SortedMap<SliceId, SliceState> slices, Map<SliceId, JobId> roomFor) {
        List<Decision.Adopt.Entry> entries = new ArrayList<>();
        Set<SliceId> written = new HashSet<>();
        List<Kept> kept = new ArrayList<>();
        for (Decision.Adopt.Entry entry : drafted) {
            SliceState slice = Objects.requireNonNull(slices.get(entry.slice()));
            Allocation next = entry.allocation();
            boolean moves = slice.recorded()
                    .filter(before -> moves(slice, before, next))
                    .isPresent();
            boolean late = moves && carriesOut(slice)
                    || kept.stream()
                            .anyMatch(other ->
                                    !other.slice().equals(slice.id()) && circuits.takesFrom(next, other.light()));
            if (late || moves) {
                slice.recorded().ifPresent(before -> kept.add(new Kept(slice.id(), before)));
            }
            if (late) {
                continue;
            }
            if (moves) {
                kept.add(new Kept(slice.id(), next));
            }
            written.add(slice.id());
            Allocation record = moves
                    ? announced(slice, next, Optional.ofNullable(roomFor.get(slice.id())))
                    : withdrawn(slice, next).orElse(next);
            entries.add(new Decision.Adopt.Entry(entry.slice(), entry.version(), record));
        }
        for (SliceState slice : slices.values()) {
            if (!written.contains(slice.id()) && slice.awaitsAnswer()) {
                withdrawn(slice, slice.recorded().orElseThrow())
                        .ifPresent(next -> entries.add(new Decision.Adopt.Entry(slice.id(), slice.version(), next)));
            }
        }
        return entries;
    }

    /** What a slice has, or is to have: no other one is given it. */
    private record Kept(SliceId slice, Allocation light) {}

    /** When the first limit of those that wait for an answer passes. */
    Optional<Instant> wakeAt(Collection<SliceState> slices) {
        return slices.stream()
                .flatMap(slice -> slice.recorded().stream())
                .filter(Allocation::awaitsAnswer)
                .flatMap(recorded -> recorded.announcement().stream())
                .map(Announcement::until)
                .filter(now::isBefore)
                .min(Comparator.naturalOrder());
    }

    /** Whether a record moves light on purpose that running pods have, of a job that asks to be asked. */
    private boolean moves(SliceState slice, Allocation before, Allocation next) {
        return slice.intent().isAsked()
                && before.revision() != next.revision()
                && next.announcement().isEmpty()
                && (!next.groups().isEmpty() || !next.circuits().isEmpty())
                && !circuits.isHurt(before)
                && circuits.darkens(before, next);
    }

    /** Whether what the job agreed to, or was waited for, is being done: it is one darkness, not two. */
    private boolean carriesOut(SliceState slice) {
        return slice.recorded()
                .filter(recorded -> recorded.announcement()
                                .filter(last -> last.revision() == recorded.revision())
                                .isPresent()
                        && circuits.isUnderWay(recorded))
                .isPresent();
    }

    private Allocation announced(SliceState slice, Allocation next, Optional<JobId> roomFor) {
        Announcement announcement = new Announcement(
                next.revision(),
                now,
                now.plus(slice.intent().agreement().orElseThrow().limit()),
                Move.to(next, roomFor));
        return slice.recorded().orElseThrow().announced(announcement);
    }

    /** A record with what ended the waiting without a move; empty where nothing did. */
    private Optional<Allocation> withdrawn(SliceState slice, Allocation next) {
        if (!slice.awaitsAnswer()
                || next.announcement().filter(of -> !of.open()).isPresent()) {
            return Optional.empty();
        }
        Announcement open = slice.recorded().flatMap(Allocation::announcement).orElseThrow();
        return ending(slice).filter(why -> !moves(why)).map(why -> next.announced(open.answered(new Answer(why, now))));
    }

    static boolean moves(Kind why) {
        return switch (why) {
            case AGREED, LIMIT_PASSED -> true;
            case LIGHT_LOST, NOT_NEEDED -> false;
        };
    }
}
