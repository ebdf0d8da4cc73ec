package dev.lightpath.driver.session;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Lines of a log that are told once, however often there is reason to: a device that tries again and again does not
 * fill the log. All are forgotten after an hour, so that what goes on is told again, and no line is kept back for ever.
 * Safe for use by many threads.
 */
public final class ToldOnce {
    private static final int MOST = 256;
    private static final Duration KEPT = Duration.ofHours(1);

    private final Set<String> told = new HashSet<>();
    private long sinceNanos = System.nanoTime();

    /** Whether it is to be told now. Of very many lines in an hour the later ones are not. */
    public synchronized boolean isNew(String line) {
        if (System.nanoTime() - sinceNanos > KEPT.toNanos()) {
            told.clear();
            sinceNanos = System.nanoTime();
        }
        return told.size() < MOST && told.add(line);
    }
}
