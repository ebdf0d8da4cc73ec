package dev.lightpath.planner.stripe;

import java.util.Comparator;

/**
 * Two ports of one switch joined by light. On a two-sided device {@code from} is an ingress and {@code to} an egress
 * port number; on an any-to-any device both count the same ports and {@code from < to}.
 */
public record Circuit(int from, int to) implements Comparable<Circuit> {

    private static final Comparator<Circuit> ORDER =
            Comparator.comparingInt(Circuit::from).thenComparingInt(Circuit::to);

    /** A duplex circuit, lower port first. */
    public static Circuit duplex(int a, int b) {
        return new Circuit(Math.min(a, b), Math.max(a, b));
    }

    @Override
    public int compareTo(Circuit other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return from + "-" + to;
    }
}
