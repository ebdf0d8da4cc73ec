package dev.lightpath.planner.ring.repair;

/**
 * Encodes the open groups of a left-to-right scan over positions: how large the group will be, how many members it has,
 * and by which hop the last one was reached. A window of the last K positions is then a {@code long}, one byte a
 * position.
 */
final class OpenSeats {

    private static final int NAMES = 255;

    private final int reach;
    private final int[] sizes;
    private final int[] kind = new int[NAMES + 1];
    private final int[] members = new int[NAMES + 1];
    private final int[] hop = new int[NAMES + 1];
    private final int[] base;
    private final boolean fits;

    /** @param sizes of the kinds of groups, in nodes */
    OpenSeats(int reach, int[] sizes) {
        this.reach = reach;
        this.sizes = sizes.clone();
        this.base = new int[sizes.length];
        int name = 1;
        boolean enough = true;
        for (int k = 0; k < sizes.length && enough; k++) {
            base[k] = name;
            enough = name + (sizes[k] - 1) * (reach + 1) <= NAMES + 1;
            for (int placed = 1; placed < sizes[k] && enough; placed++) {
                for (int left = 0; left <= reach; left++) {
                    kind[name] = k;
                    members[name] = placed;
                    hop[name] = left;
                    name++;
                }
            }
        }
        this.fits = enough;
    }

    /** Whether a byte can name every open group. */
    boolean fits() {
        return fits;
    }

    int kinds() {
        return sizes.length;
    }

    int size(int ofKind) {
        return sizes[ofKind];
    }

    int kind(int name) {
        return kind[name];
    }

    int members(int name) {
        return members[name];
    }

    int hop(int name) {
        return hop[name];
    }

    int name(int ofKind, int placed, int left) {
        return base[ofKind] + (placed - 1) * (reach + 1) + left;
    }

    /** The open group whose last member sits {@code back} positions to the left, 0 for none. */
    int at(long window, int back) {
        return (int) (window >>> 8 * (back - 1)) & 0xff;
    }

    long without(long window, int back) {
        return window & ~(0xffL << 8 * (back - 1));
    }

    /** The window one position on, or -1 if a group can no longer go on. */
    long next(long window, int joined) {
        if (at(window, reach) != 0) {
            return -1;
        }
        return window << 8 | joined;
    }
}
