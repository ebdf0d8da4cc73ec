package dev.lightpath.sim.managed;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** What a management needs for each answer, with one processor for all its sessions. */
public final class AnswerTime {
    private static final Duration SLOW = Duration.ofMillis(150);

    private final ReentrantLock answering = new ReentrantLock(true);
    private final boolean slow;

    /** @param slow false: none at all */
    public AnswerTime(boolean slow) {
        this.slow = slow;
    }

    /** Returns when it is time to answer, one caller after the other. */
    public void take() {
        if (!slow) {
            return;
        }
        answering.lock();
        try {
            Thread.sleep(SLOW);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            answering.unlock();
        }
    }
}
