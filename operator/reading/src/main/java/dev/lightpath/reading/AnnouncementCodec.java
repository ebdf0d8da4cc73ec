package dev.lightpath.reading;

import dev.lightpath.crds.slice.AnnouncementAnswer;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Answer;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.reading.label.Labels;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a record says was announced to its job, written and read back. */
public final class AnnouncementCodec {
    private AnnouncementCodec() {}

    public static dev.lightpath.crds.slice.Announcement write(Announcement announcement) {
        return new dev.lightpath.crds.slice.Announcement(
                announcement.at().toString(),
                announcement.until().toString(),
                announcement.answer().map(answer -> word(answer.kind())).orElse(null),
                announcement.answer().map(answer -> answer.at().toString()).orElse(null));
    }

    /** @throws IllegalArgumentException when a time cannot be read: light would move at a time that nobody knows */
    static Announcement read(dev.lightpath.crds.slice.Announcement record) {
        Instant at = time("at", record.at());
        Instant until = time("until", record.until());
        AnnouncementAnswer answer = record.answer();
        return new Announcement(
                at,
                until.isBefore(at) ? at : until,
                answer == null
                        ? Optional.empty()
                        : Optional.of(new Answer(kind(answer), time("answeredAt", record.answeredAt()))));
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
