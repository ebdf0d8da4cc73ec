package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.light.SwitchedLight;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * That light of running pods is to move on purpose. It is recorded before anything moves, beside the light that the
 * job has until then. So a restart forgets neither the announcement nor its end.
 *
 * @param revision that the record is to have once its light moves: the job agrees to that
 * @param at when it was announced
 * @param until when the light moves without an answer
 * @param standing what it waits to become, or what ended the waiting
 */
public record Announcement(long revision, Instant at, Instant until, Standing standing) {
    public Announcement {
        if (until.isBefore(at)) {
            throw new IllegalArgumentException("announced at " + at + " and over before, at " + until);
        }
    }

    /** Whether the light stays where it is. */
    public boolean open() {
        return move().isPresent();
    }

    /** What moves once the waiting ends; empty when it has ended. */
    public Optional<Move> move() {
        return standing instanceof Move move ? Optional.of(move) : Optional.empty();
    }

    /** What ended the waiting. */
    public Optional<Answer> answer() {
        return standing instanceof Answer answer ? Optional.of(answer) : Optional.empty();
    }

    /** This announcement once the waiting ended. */
    public Announcement answered(Answer by) {
        return new Announcement(revision, at, until, by);
    }

    /** Whether it waits. */
    public sealed interface Standing permits Move, Answer {}

    /**
     * What a slice is to have instead of what its record says.
     *
     * @param groups all of them
     * @param circuits on optical switches, all of them
     * @param origin how that came about
     * @param prediction what is expected of the circuits
     * @param roomFor uid of the job without a place that is to get the room; empty where it moves for another reason
     */
    public record Move(
            List<Allocation.Group> groups,
            SwitchedLight circuits,
            Optional<Origin> origin,
            Optional<Prediction> prediction,
            Optional<String> roomFor)
            implements Standing {
        public Move {
            groups = List.copyOf(groups);
        }

        /** To what a record says, and who is to get the room. */
        public static Move to(Allocation next, Optional<JobId> roomFor) {
            return new Move(next.groups(), next.circuits(), next.origin(), next.prediction(), roomFor.map(JobId::uid));
        }
    }

    /** @param at when the waiting ended */
    public record Answer(Kind kind, Instant at) implements Standing {}

    /** Why the waiting ended. */
    public enum Kind {
        /** The job agreed to this revision. */
        AGREED,
        /** It did not answer within its own limit. */
        LIMIT_PASSED,
        /** A fault took light or nodes of the job meanwhile: it is interrupted already. */
        LIGHT_LOST,
        /**
         * No pod uses the light any more, the job does not ask to be asked, the light is not to move any more, the
         * fabric is paused or too much of it failed at once, or the job that it was to make room for waits no more.
         */
        NOT_NEEDED
    }
}
