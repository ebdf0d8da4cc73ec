package dev.lightpath.planner.light;

/**
 * A fencing epoch that a driver has stored.
 *
 * @param holder who showed it first; empty when the driver does not tell, or an administrator set it
 */
public record EpochMark(long epoch, String holder) {
    @Override
    public String toString() {
        return "epoch " + Long.toUnsignedString(epoch) + (holder.isEmpty() ? "" : " of '" + holder + "'");
    }
}
