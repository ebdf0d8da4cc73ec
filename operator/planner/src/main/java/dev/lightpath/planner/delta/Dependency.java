package dev.lightpath.planner.delta;

/**
 * The task {@code post} starts no earlier than {@code delaySeconds} after {@code pre} ends (Eq. 16).
 *
 * @param pre a task id, or {@link #START}
 */
public record Dependency(int pre, int post, double delaySeconds) {
    /** The virtual task that ends at time 0. */
    public static final int START = -1;

    public Dependency {
        if (!(delaySeconds >= 0) || Double.isInfinite(delaySeconds)) {
            throw new IllegalArgumentException(
                    "delaySeconds: " + delaySeconds + ", allowed: a finite number, 0 or more");
        }
        if (pre == post) {
            throw new IllegalArgumentException("pre and post: both " + pre + ", allowed: two different tasks");
        }
    }
}
