package dev.lightpath.planner.light;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The circuits of one device: a partial matching. No ingress and no egress port is in two circuits; a set that breaks
 * this cannot be built.
 */
public final class CrossConnects {
    private static final CrossConnects NONE = new CrossConnects(java.util.List.of());

    private final SortedSet<Circuit> circuits;
    private final Map<String, String> egressOfIngress;

    /**
     * @throws IllegalArgumentException naming a port used twice
     */
    public CrossConnects(Collection<Circuit> circuits) {
        Map<String, String> egressOf = HashMap.newHashMap(circuits.size());
        Map<String, String> ingressOf = HashMap.newHashMap(circuits.size());
        for (Circuit circuit : circuits) {
            String before = egressOf.putIfAbsent(circuit.ingress(), circuit.egress());
            if (before != null && !before.equals(circuit.egress())) {
                throw new IllegalArgumentException("ingress port " + circuit.ingress() + " is used twice: for " + before
                        + " and " + circuit.egress());
            }
            String other = ingressOf.putIfAbsent(circuit.egress(), circuit.ingress());
            if (other != null && !other.equals(circuit.ingress())) {
                throw new IllegalArgumentException("egress port " + circuit.egress() + " is used twice: by " + other
                        + " and " + circuit.ingress());
            }
        }
        this.circuits = Collections.unmodifiableSortedSet(new TreeSet<>(circuits));
        this.egressOfIngress = Map.copyOf(egressOf);
    }

    public static CrossConnects none() {
        return NONE;
    }

    public SortedSet<Circuit> circuits() {
        return circuits;
    }

    /** The port that light from this ingress is led to; empty when it is led nowhere. */
    public Optional<String> egressOf(String ingress) {
        return Optional.ofNullable(egressOfIngress.get(ingress));
    }

    public boolean contains(Circuit circuit) {
        return circuit.egress().equals(egressOfIngress.get(circuit.ingress()));
    }

    /** How many circuits here are in the other too. */
    public int shared(CrossConnects other) {
        if (equals(other)) {
            return circuits.size();
        }
        int shared = 0;
        for (Circuit circuit : circuits) {
            if (other.contains(circuit)) {
                shared++;
            }
        }
        return shared;
    }

    /** The circuits here that are not in the other, in order. */
    public SortedSet<Circuit> minus(CrossConnects other) {
        SortedSet<Circuit> rest = new TreeSet<>();
        for (Circuit circuit : circuits) {
            if (!other.contains(circuit)) {
                rest.add(circuit);
            }
        }
        return rest;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof CrossConnects that && egressOfIngress.equals(that.egressOfIngress);
    }

    @Override
    public int hashCode() {
        return egressOfIngress.hashCode();
    }

    @Override
    public String toString() {
        return circuits.toString();
    }
}
