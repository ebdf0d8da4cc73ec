package dev.lightpath.app.measuring;

import java.util.Map;

/** What became of a question to a Prometheus. */
public sealed interface QueryAnswer {
    /** @param seconds of an iteration, by job */
    record Times(Map<JobName, String> seconds) implements QueryAnswer {
        public Times {
            seconds = Map.copyOf(seconds);
        }
    }

    /** @param why in words of ours, in one line: nothing of an answer is repeated */
    record Failed(String why) implements QueryAnswer {}

    /** Whether a fabric says the same of both: that there are times, and not which. */
    default boolean isLike(QueryAnswer other) {
        return switch (this) {
            case Times(Map<JobName, String> seconds) ->
                other instanceof Times(Map<JobName, String> others) && seconds.isEmpty() == others.isEmpty();
            case Failed failed -> failed.equals(other);
        };
    }
}
