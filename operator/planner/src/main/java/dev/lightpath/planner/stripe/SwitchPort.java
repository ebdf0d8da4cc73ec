package dev.lightpath.planner.stripe;

import java.util.Comparator;

/**
 * One port of one switch. On a two-sided device an ingress and an egress port bear the same number, so the side is part
 * of the name; {@link Side#BOTH} names the two of them, and any-to-any devices have no other.
 */
public record SwitchPort(int switchIndex, int port, Side side) implements Comparable<SwitchPort> {

    private static final Comparator<SwitchPort> ORDER = Comparator.comparingInt(SwitchPort::switchIndex)
            .thenComparingInt(SwitchPort::port)
            .thenComparing(SwitchPort::side);

    /** Which of the ports bearing a number. */
    public enum Side {
        INGRESS,
        EGRESS,
        BOTH;

        boolean covers(Side other) {
            return this == BOTH || other == BOTH || this == other;
        }
    }

    @Override
    public int compareTo(SwitchPort other) {
        return ORDER.compare(this, other);
    }
}
