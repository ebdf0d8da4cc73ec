package dev.lightpath.planner.world;

import java.time.Instant;
import java.util.Optional;

/**
 * That light of running pods is to move on purpose. It is recorded with the revision that moves it, before anything
 * moves, so a restart forgets neither the announcement nor its end.
 *
 * @param at when it was announced
 * @param until when the light moves without an answer
 * @param answer what ended the waiting; empty while the light stays
 */
public record Announcement(Instant at, Instant until, Optional<Answer> answer) {
    public Announcement {
        if (until.isBefore(at)) {
            throw new IllegalArgumentException("announced at " + at + " and over before, at " + until);
        }
    }

    /** An announcement that waits for its answer. */
    public Announcement(Instant at, Instant until) {
        this(at, until, Optional.empty());
    }

    /** Whether the light stays where it is. */
    public boolean open() {
        return answer.isEmpty();
    }

    /** This announcement once the waiting ended. */
    public Announcement answered(Answer by) {
        return new Announcement(at, until, Optional.of(by));
    }

    /** @param at when the waiting ended */
    public record Answer(Kind kind, Instant at) {}

    /** Why light may move that was announced. */
    public enum Kind {
        /** The job agreed to this revision. */
        AGREED,
        /** It did not answer within its own limit. */
        LIMIT_PASSED,
        /** A fault took light or nodes of the job meanwhile: it is interrupted already. */
        LIGHT_LOST,
        /** No pod uses the light any more, or the job does not ask to be asked. */
        NOT_NEEDED
    }
}
