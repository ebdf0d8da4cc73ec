package dev.lightpath.conformance.bench;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Patience with an end. */
final class Waiting {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Waiting() {}

    /** Asks until the answer is right; refused calls are asked again. Empty when it never was in time. */
    static <T> Optional<T> until(Duration patience, Supplier<T> question, Predicate<T> right) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                T answer = question.get();
                if (right.test(answer)) {
                    return Optional.of(answer);
                }
            } catch (StatusRuntimeException notNow) {
                // asked again until the patience ends
            }
            if (System.nanoTime() - deadline >= 0) {
                return Optional.empty();
            }
            pause(PAUSE);
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
