package dev.lightpath.planner.delta.model;

/**
 * The task {@code post} starts no earlier than {@code delaySeconds} after {@code pre} ends (Eq. 16).
 *
 * @param pre a task id, or {@link #START}
 * @param post a task id
 * @param delaySeconds rigid work between the two, 0 or more
 */
public record Dependency(int pre, int post, double delaySeconds) {
    /** The virtual task that ends at time 0. */
    public static final int START = -1;

    /** @throws IllegalArgumentException naming the field as in {@code delta-instance/1} and what is allowed */
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
