package dev.lightpath.app.driver;

import java.util.function.BooleanSupplier;

/**
 * The fencing epoch this process holds now: set at each win of the leader election, dropped when the Lease is lost or
 * has run out, as it does for a process that was stopped and goes on.
 */
public final class FencingEpoch {
    private record Tenure(long epoch, EpochBook book, BooleanSupplier lasts) {}

    private static final Tenure NONE = new Tenure(0, EpochBook.NONE, () -> true);

    private volatile Tenure tenure = NONE;

    /** 0 while not leading. */
    public long held() {
        Tenure now = tenure;
        return now.lasts().getAsBoolean() ? now.epoch() : 0;
    }

    /** What is known of the epochs of this installation; {@link EpochBook#NONE} while not leading. */
    public EpochBook book() {
        return tenure.book();
    }

    /**
     * Takes an epoch that was won.
     *
     * @param book in which it stands
     * @param lasts whether nobody else can have the Lease yet; asked at every use of the epoch
     * @throws IllegalArgumentException when it is not positive
     */
    public synchronized void won(long epoch, EpochBook book, BooleanSupplier lasts) {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch " + epoch + "; epochs count from 1");
        }
        tenure = new Tenure(epoch, book, lasts);
    }

    /** The book was read again. */
    public synchronized void read(EpochBook book) {
        Tenure now = tenure;
        if (now.epoch() > 0) {
            tenure = new Tenure(now.epoch(), now.book().and(book), now.lasts());
        }
    }

    /** From now on nothing is sent to drivers; what was sent is their fence's matter. */
    public synchronized void lost() {
        tenure = NONE;
    }
}
