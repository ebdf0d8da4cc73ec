package dev.lightpath.reading;

import dev.lightpath.crds.slice.AnnouncedMove;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Answer;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.Announcement.Standing;
import dev.lightpath.reading.label.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a record says was announced to its job, written and read back. */
public final class AnnouncementCodec {
    private AnnouncementCodec() {}

    /** A record once what was announced of it has moved; empty where nothing waits for that. */
    public static Optional<dev.lightpath.crds.slice.Allocation> moved(dev.lightpath.crds.slice.Allocation record) {
        if (record.announcement() == null) {
            return Optional.empty();
        }
        Allocation recorded = AllocationCodec.read(record);
        return recorded.awaited()
                .map(move ->
                        recorded.moved(recorded.announcement().orElseThrow().revision(), move))
                .map(AllocationCodec::write);
    }

    /** @param recorded the record that it is in: what that is to become is written as the difference */
    static dev.lightpath.crds.slice.Announcement write(Allocation recorded, Announcement announcement) {
        return new dev.lightpath.crds.slice.Announcement(
                announcement.revision(),
                announcement.at().toString(),
                announcement.until().toString(),
                announcement.answer().map(answer -> word(answer.kind())).orElse(null),
                announcement.answer().map(answer -> answer.at().toString()).orElse(null),
                announcement.move().map(move -> write(recorded, move)).orElse(null));
    }

    private static AnnouncedMove write(Allocation recorded, Move move) {
        List<GroupAllocation> before = AllocationCodec.groups(recorded.groups());
        return new AnnouncedMove(
                AllocationCodec.groups(move.groups()).stream()
                        .filter(group -> group.index() >= before.size() || !group.equals(before.get(group.index())))
                        .toList(),
                AllocationCodec.switches(recorded.circuits().minus(move.circuits())),
                AllocationCodec.switches(move.circuits().minus(recorded.circuits())),
                move.origin().map(AllocationCodec::origin).orElse(null),
                move.prediction().map(PredictionCodec::write).orElse(null),
                move.roomFor().orElse(null),
                null);
    }

    /**
     * An earlier version recorded the move at once: such an announcement says neither of which revision nor what is to
     * move. Its revision is the record's own, and nothing waits for its answer any more.
     *
     * @param recorded the record that it is in
     * @throws IllegalArgumentException when a time cannot be read: light would move at a time that nobody knows
     */
    static Announcement read(Allocation recorded, dev.lightpath.crds.slice.Announcement record) {
        Instant at = time("at", record.at());
        Instant until = time("until", record.until());
        AnnouncementAnswer answer = record.answer();
        return new Announcement(
                record.revision() == 0 ? recorded.revision() : record.revision(),
                at,
                until.isBefore(at) ? at : until,
                answer == null
                        ? waiting(recorded, at, record.then())
                        : new Answer(kind(answer), time("answeredAt", record.answeredAt())));
    }

    private static Standing waiting(Allocation recorded, Instant at, @Nullable AnnouncedMove then) {
        return then == null ? new Answer(Kind.NOT_NEEDED, at) : move(recorded, then);
    }

    private static Move move(Allocation recorded, AnnouncedMove then) {
        List<Allocation.Group> groups = new ArrayList<>(recorded.groups());
        for (GroupAllocation group : then.groups()) {
            if (group.index() >= groups.size()) {
                throw new IllegalArgumentException("allocation.announcement.then.groups has index " + group.index()
                        + "; the record has " + groups.size() + " groups");
            }
            groups.set(group.index(), AllocationCodec.group(group));
        }
        return new Move(
                groups,
                recorded.circuits().minus(AllocationCodec.light(then.dark())).and(AllocationCodec.light(then.lit())),
                Optional.ofNullable(then.origin()).flatMap(AllocationCodec::origin),
                Optional.ofNullable(then.chosen()).map(PredictionCodec::read),
                Optional.ofNullable(then.roomFor()));
    }

    private static Instant time(String field, @Nullable String text) {
        return Optional.ofNullable(text)
                .flatMap(Labels::instant)
                .orElseThrow(() -> new IllegalArgumentException(
                        "allocation.announcement." + field + " is '" + text + "'; write a time as RFC 3339"));
    }

    private static AnnouncementAnswer word(Kind kind) {
        return switch (kind) {
            case AGREED -> AnnouncementAnswer.AGREED;
            case LIMIT_PASSED -> AnnouncementAnswer.LIMIT_PASSED;
            case LIGHT_LOST -> AnnouncementAnswer.LIGHT_LOST;
            case NOT_NEEDED -> AnnouncementAnswer.NOT_NEEDED;
        };
    }

    private static Kind kind(AnnouncementAnswer answer) {
        return switch (answer) {
            case AGREED -> Kind.AGREED;
            case LIMIT_PASSED -> Kind.LIMIT_PASSED;
            case LIGHT_LOST -> Kind.LIGHT_LOST;
            case NOT_NEEDED -> Kind.NOT_NEEDED;
        };
    }
}
