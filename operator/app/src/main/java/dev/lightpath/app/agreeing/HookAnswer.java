package dev.lightpath.app.agreeing;

import java.time.Instant;

/** What a pod answered last. */
public sealed interface HookAnswer {
    /** The light may move now. */
    record Agreed(Instant at) implements HookAnswer {}

    /** It has heard, and is not ready yet. */
    record Waits() implements HookAnswer {}

    /** @param why nothing came that counts; in words of ours, in one line: nothing of an answer is repeated */
    record Failed(String why) implements HookAnswer {}
}
