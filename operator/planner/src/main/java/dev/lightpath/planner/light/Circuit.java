package dev.lightpath.planner.light;

import java.util.Comparator;

/** A circuit from one port of a device to another: {@code ingress -> egress}, by the device's own port names. */
public record Circuit(String ingress, String egress) implements Comparable<Circuit> {
    private static final Comparator<Circuit> ORDER =
            Comparator.comparing(Circuit::ingress).thenComparing(Circuit::egress);

    /** Whether light enters or leaves at a port. */
    public boolean isAt(String port) {
        return ingress.equals(port) || egress.equals(port);
    }

    /** The same from its other end: one and the same circuit where light goes both ways. */
    public Circuit turned() {
        return new Circuit(egress, ingress);
    }

    @Override
    public int compareTo(Circuit other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return ingress + "->" + egress;
    }
}
