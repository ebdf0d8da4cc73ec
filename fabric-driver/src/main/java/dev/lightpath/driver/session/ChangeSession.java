package dev.lightpath.driver.session;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The session of a switch that makes changes. Servers end a session that asks nothing for a while, or log its user out:
 * so some readings use it too. Safe for use by many threads.
 *
 * @param <S> what asks by it
 */
public final class ChangeSession<S> {
    /** Much shorter than devices wait, and long enough that next to no change waits for a reading. */
    private static final Duration UNUSED = Duration.ofSeconds(5);

    private final S session;
    private final ReentrantLock busy = new ReentrantLock();
    private volatile long usedNanos = System.nanoTime();

    public ChangeSession(S session) {
        this.session = session;
    }

    /** What is asked by a session. */
    @FunctionalInterface
    public interface Use<S, T> {
        T by(S session) throws LostException, RefusedException;
    }

    /** Makes a change, once the session is free. */
    public <T> T change(Use<S, T> use) throws LostException, RefusedException {
        busy.lock();
        return used(use);
    }

    /** Reads by it while it is free, because what another session is asked for may take longer. */
    public <T> T read(S other, Use<S, T> use) throws LostException, RefusedException {
        return busy.tryLock() ? used(use) : use.by(other);
    }

    /** Reads by another session, and by this one where it was not used for a while. */
    public <T> T readSeldom(S other, Use<S, T> use) throws LostException, RefusedException {
        return System.nanoTime() - usedNanos < UNUSED.toNanos() ? use.by(other) : read(other, use);
    }

    private <T> T used(Use<S, T> use) throws LostException, RefusedException {
        try {
            return use.by(session);
        } finally {
            usedNanos = System.nanoTime();
            busy.unlock();
        }
    }
}
