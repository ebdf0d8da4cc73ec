package dev.lightpath.app.driver;

import java.util.concurrent.atomic.AtomicLong;

/** The fencing epoch this process holds now: set at each win of the leader election, dropped when the Lease is lost. */
public final class FencingEpoch {
    private final AtomicLong held = new AtomicLong();

    /** 0 while not leading. */
    public long held() {
        return held.get();
    }

    /**
     * Takes an epoch that was won.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public void won(long epoch) {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch " + epoch + "; epochs count from 1");
        }
        held.set(epoch);
    }

    /** From now on nothing is sent to drivers; what was sent is their fence's matter. */
    public void lost() {
        held.set(0);
    }
}
