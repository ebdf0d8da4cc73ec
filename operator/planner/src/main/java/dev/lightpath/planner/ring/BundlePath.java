package dev.lightpath.planner.ring;

import java.util.Comparator;

/**
 * One of the three paths of one bundle of a node.
 *
 * @param bundle 0..K-1
 * @param state which of its paths
 */
public record BundlePath(int bundle, BundleState state) implements Comparable<BundlePath> {

    private static final Comparator<BundlePath> ORDER =
            Comparator.comparingInt(BundlePath::bundle).thenComparing(BundlePath::state);

    public BundlePath {
        if (bundle < 0 || bundle >= RingFabric.GREATEST_REACH) {
            throw new IllegalArgumentException(
                    "bundle = " + bundle + ": must be 0.." + (RingFabric.GREATEST_REACH - 1));
        }
    }

    @Override
    public int compareTo(BundlePath other) {
        return ORDER.compare(this, other);
    }

    /** This path's bit in a mask of three bits per bundle. */
    int bit() {
        return 1 << (3 * bundle + state.ordinal());
    }
}
