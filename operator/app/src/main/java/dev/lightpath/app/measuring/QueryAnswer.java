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
}
