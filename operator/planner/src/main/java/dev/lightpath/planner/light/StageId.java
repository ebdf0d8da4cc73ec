package dev.lightpath.planner.light;

/**
 * Names a stage: never a hash of its content, because the same change may be needed again later.
 *
 * @param epoch the fencing epoch of the leader that started it
 * @param counter counts stages within the epoch
 */
public record StageId(long epoch, long counter) {
    @Override
    public String toString() {
        return epoch + "-" + counter;
    }
}
