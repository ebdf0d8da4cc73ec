package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import java.util.Comparator;

/** A directed cross-connect by its two port names; ordered by ingress, then egress. */
public record CircuitPair(String ingress, String egress) implements Comparable<CircuitPair> {
    private static final Comparator<CircuitPair> ORDER =
            Comparator.comparing(CircuitPair::ingress).thenComparing(CircuitPair::egress);

    public static CircuitPair of(CircuitKey key) {
        return new CircuitPair(key.getIngress(), key.getEgress());
    }

    public CircuitKey toKey() {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    @Override
    public int compareTo(CircuitPair other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return ingress + "->" + egress;
    }
}
