package dev.lightpath.soak.oracle;

import java.util.Comparator;

/** Light from one port of a device to another. */
public record Beam(String device, String ingress, String egress) implements Comparable<Beam> {
    private static final Comparator<Beam> ORDER =
            Comparator.comparing(Beam::device).thenComparing(Beam::ingress).thenComparing(Beam::egress);

    @Override
    public int compareTo(Beam other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return device + "/" + ingress + "->" + egress;
    }
}
