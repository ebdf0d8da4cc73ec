package dev.lightpath.planner.light;

/**
 * Which revision of a slice's record the routes of the packet layer follow. A program that is no part of Lightpath says
 * so, and its word is taken only for the very revision that is recorded.
 */
public sealed interface RoutedRevision {
    /** Nobody has said anything. */
    RoutedRevision NONE = new Missing();

    /** Whether routes follow the circuits of the record of this revision. */
    default boolean follows(long revision) {
        return this instanceof Acknowledged(long routed) && routed == revision;
    }

    /** Nothing is written. */
    record Missing() implements RoutedRevision {}

    /**
     * A whole number is written.
     *
     * @param revision 0 or more; one that was never recorded acknowledges nothing
     */
    record Acknowledged(long revision) implements RoutedRevision {}

    /**
     * Anything else is written, which acknowledges nothing.
     *
     * @param text fit to be shown in a sentence
     */
    record Unreadable(String text) implements RoutedRevision {}
}
