package dev.lightpath.planner.ring;

/**
 * One broken invariant.
 *
 * @param invariant which
 * @param position the node at which it was seen
 * @param message for a person
 */
public record RingViolation(RingInvariant invariant, int position, String message) {

    @Override
    public String toString() {
        return invariant + " " + invariant.broken() + ": " + message;
    }
}
