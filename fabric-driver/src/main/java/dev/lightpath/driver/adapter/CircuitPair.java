package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.CircuitKey;

/** A directed cross-connect by its two port names; ordered by ingress, then egress. */
public record CircuitPair(String ingress, String egress) implements Comparable<CircuitPair> {
    public static CircuitPair of(CircuitKey key) {
        return new CircuitPair(key.getIngress(), key.getEgress());
    }

    public CircuitKey toKey() {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    @Override
    public int compareTo(CircuitPair other) {
        int byIngress = ingress.compareTo(other.ingress);
        return byIngress == 0 ? egress.compareTo(other.egress) : byIngress;
    }

    @Override
    public String toString() {
        return ingress + "->" + egress;
    }
}
