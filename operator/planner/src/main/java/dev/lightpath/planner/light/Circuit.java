package dev.lightpath.planner.light;

/** A circuit from one port of a device to another: {@code ingress -> egress}, by the device's own port names. */
public record Circuit(String ingress, String egress) implements Comparable<Circuit> {
    /** Names that differ in their last digits alone would often have the same sum. */
    @Override
    public int hashCode() {
        return ingress.hashCode() * 0x9E3779B1 + egress.hashCode();
    }

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
        int order = ingress.compareTo(other.ingress);
        return order == 0 ? egress.compareTo(other.egress) : order;
    }

    @Override
    public String toString() {
        return ingress + "->" + egress;
    }
}
