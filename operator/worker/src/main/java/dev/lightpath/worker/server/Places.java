package dev.lightpath.worker.server;

import java.util.concurrent.Semaphore;

/** Searches that run at once. Thread-safe. */
final class Places {
    private final int all;
    private final Semaphore free;

    Places(int all) {
        this.all = all;
        this.free = new Semaphore(all);
    }

    boolean take() {
        return free.tryAcquire();
    }

    void giveBack() {
        free.release();
    }

    int all() {
        return all;
    }

    int taken() {
        return all - free.availablePermits();
    }
}
