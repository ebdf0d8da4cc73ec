package dev.lightpath.planner.light;

import java.util.Comparator;

/**
 * Names a stage: never a hash of its content, because the same change may be needed again later.
 *
 * @param epoch the fencing epoch of the leader that started it
 * @param counter counts stages within the epoch
 */
public record StageId(long epoch, long counter) implements Comparable<StageId> {
    private static final Comparator<StageId> ORDER =
            Comparator.comparingLong(StageId::epoch).thenComparingLong(StageId::counter);

    @Override
    public int compareTo(StageId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return epoch + "-" + counter;
    }
}
