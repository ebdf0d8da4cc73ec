package dev.lightpath.planner.light;

/**
 * A fencing epoch that a driver has stored.
 *
 * @param holder who showed it first; empty when the driver does not tell, or an administrator set it
 */
public record EpochMark(long epoch, String holder) {
    /**
     * As drivers refuse it (EPOCH_TOO_HIGH). Epochs rise by one at each election, so no process ever gave such a one.
     */
    public static final long MOST_ABOVE = 1L << 20;

    private static final int LONGEST_HOLDER = 253;

    /**
     * Whether it is so far above the last epoch that was given here that no person can accept it.
     *
     * @param last the last epoch that was given here
     */
    public boolean isTooHighAfter(long last) {
        return epoch - last > MOST_ABOVE;
    }

    /** With no more of the name than a process has. */
    public EpochMark shortened() {
        return holder.length() <= LONGEST_HOLDER ? this : new EpochMark(epoch, holder.substring(0, LONGEST_HOLDER));
    }

    @Override
    public String toString() {
        return "epoch " + Long.toUnsignedString(epoch) + (holder.isEmpty() ? "" : " of '" + holder + "'");
    }
}
