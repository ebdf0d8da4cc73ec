package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.model.DeltaInstance;

/**
 * How fast GPUs and links of a job are in truth, as shares of what its model and its fabric say: 0.5 is half as fast.
 * An iteration takes 1 / compute times as long to compute, and 1 / link times as long to send.
 *
 * @param compute share of the sustained TFLOP/s of a GPU
 * @param link share of the rate of a circuit, and of a GPU's network card
 */
public record Speeds(double compute, double link) {
    /** Nothing was learnt. */
    public static final Speeds BELIEVED = new Speeds(1, 1);

    private static final String TAG = "s";

    /** Beyond these a number of the model is wrong, and no speed. */
    public static final double LEAST = 1.0 / 32;

    public static final double MOST = 32;

    /** @throws IllegalArgumentException naming the share and what is allowed */
    public Speeds {
        require(compute, "compute");
        require(link, "link");
    }

    private static void require(double share, String what) {
        if (!(share >= LEAST && share <= MOST)) {
            throw new IllegalArgumentException(
                    what + ": " + share + " of what was believed, allowed: from " + LEAST + " to " + MOST);
        }
    }

    /** The same iteration at these speeds. O(size of the instance). */
    DeltaInstance applied(DeltaInstance believed) {
        return equals(BELIEVED) ? believed : believed.at(compute, link);
    }

    /** Tells predictions at these speeds from others; empty for what was believed. The same in every process. */
    String tag() {
        long bits = 31 * Double.doubleToLongBits(compute) + Double.doubleToLongBits(link);
        return equals(BELIEVED) ? "" : TAG + Integer.toHexString(Long.hashCode(bits)) + "-";
    }

    /** Whether a name begins with a tag. Without one it begins with a hexadecimal digit. */
    static boolean tagged(String name) {
        return name.startsWith(TAG);
    }
}
