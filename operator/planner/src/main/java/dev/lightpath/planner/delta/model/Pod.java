package dev.lightpath.planner.delta.model;

/**
 * A pod and its optical ports.
 *
 * @param id number of the pod, unique in its instance, not negative
 * @param ports circuit ends the pod may use (U of the paper), at least 1
 * @param counted false for a peer pod, whose limit is not checked and whose ports are not added up
 */
public record Pod(int id, int ports, boolean counted) {
    /** @throws IllegalArgumentException naming the field and what is allowed */
    public Pod {
        if (id < 0) {
            throw new IllegalArgumentException("id: " + id + ", allowed: 0 or more");
        }
        if (ports < 1) {
            throw new IllegalArgumentException("ports: " + ports + ", allowed: 1 or more");
        }
    }
}
