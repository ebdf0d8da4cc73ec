package dev.lightpath.planner.light;

/**
 * A fencing epoch that a driver has stored.
 *
 * @param holder who showed it first; empty when the driver does not tell, or an administrator set it
 */
public record EpochMark(long epoch, String holder) {
    private static final int LONGEST_HOLDER = 253;

    /** With no more of the name than a process has. */
    public EpochMark shortened() {
        return holder.length() <= LONGEST_HOLDER ? this : new EpochMark(epoch, holder.substring(0, LONGEST_HOLDER));
    }

    @Override
    public String toString() {
        return "epoch " + Long.toUnsignedString(epoch) + (holder.isEmpty() ? "" : " of '" + holder + "'");
    }
}
