package dev.lightpath.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, for the timeline.
 *
 * @param at RFC 3339
 * @param subject as TYPE/NAME: fabric/ring-a, switch/ocs-3, job/llm, slice/llm-ring-a-1, node/n3, port/ocs-3/17
 * @param namespace of the subject, null where it has none
 * @param fabric that it happened on, null where that is not known
 * @param job concerned, null where none is known
 * @param count how often it was told
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Happening(
        String at,
        Kind kind,
        String subject,
        @Nullable String namespace,
        @Nullable String fabric,
        @Nullable String job,
        String reason,
        String message,
        boolean warning,
        int count) {

    public enum Kind {
        /** A fault began. */
        FAULT,
        /** A fault is over. */
        HEALED,
        /** A record was written: who gets which place. */
        DECISION,
        /** Light was changed or read back. */
        LIGHT,
        /** A condition changed. */
        STATE,
        /** An event that the operator wrote. */
        EVENT,
        /** A person's act. */
        ACT
    }
}
