package dev.lightpath.solver;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * The parent's request for the best answer so far: the end of the child's standard input. It also comes when the parent
 * process has ended.
 */
final class Interruption {
    /** A solver forgets a signal that comes before it has begun, so the signal is repeated. */
    private static final long REPEAT_MILLIS = 50;

    private Interruption() {}

    /** Calls the signal from a thread of its own, again and again once the input has ended; returns at once. */
    static void atEndOf(InputStream input, Runnable signal) {
        Thread.ofPlatform().daemon().name("interruption").start(() -> {
            try {
                while (input.read() >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                // A broken pipe is an end, too.
            }
            try {
                while (true) {
                    signal.run();
                    TimeUnit.MILLISECONDS.sleep(REPEAT_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
