package dev.lightpath.planner.discovery;

import java.util.Comparator;

/**
 * Where a fibre ends at a switch.
 *
 * @param side {@code BOTH} on any-to-any switches, where one port carries light both ways
 */
public record FibreEnd(Side side, String port) implements Comparable<FibreEnd> {
    private static final Comparator<FibreEnd> ORDER = Comparator.comparing(FibreEnd::side)
            .thenComparingInt(end -> end.port().length())
            .thenComparing(FibreEnd::port);

    /** Which way light goes there. */
    public enum Side {
        INGRESS,
        EGRESS,
        BOTH
    }

    private static final int LONGEST_PORT = 63;

    /** Whether a port can be named where probes are recorded. */
    public static boolean isTold(String port) {
        return !port.isEmpty() && port.length() <= LONGEST_PORT && !port.contains("->");
    }

    public static FibreEnd ingress(String port) {
        return new FibreEnd(Side.INGRESS, port);
    }

    public static FibreEnd egress(String port) {
        return new FibreEnd(Side.EGRESS, port);
    }

    public static FibreEnd both(String port) {
        return new FibreEnd(Side.BOTH, port);
    }

    /** Sides in order; of a side the shorter labels first, so that numbers are in order of value. */
    @Override
    public int compareTo(FibreEnd other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return switch (side) {
            case INGRESS -> "ingress " + port;
            case EGRESS -> "egress " + port;
            case BOTH -> "port " + port;
        };
    }
}
