package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which circuits use a port, of a set that changes. Not thread-safe. */
public final class PortUses {
    private final PortMap ports;
    private final Map<String, SortedSet<CircuitPair>> byUse = new HashMap<>();

    PortUses(PortMap ports, Collection<CircuitPair> circuits) {
        this.ports = ports;
        circuits.forEach(this::add);
    }

    public void add(CircuitPair circuit) {
        for (String use : ports.uses(circuit)) {
            byUse.computeIfAbsent(use, unused -> new TreeSet<>()).add(circuit);
        }
    }

    /** Does nothing if it is not one of them. */
    public void remove(CircuitPair circuit) {
        for (String use : ports.uses(circuit)) {
            of(use).remove(circuit);
        }
    }

    private SortedSet<CircuitPair> of(String use) {
        return byUse.getOrDefault(use, new TreeSet<>());
    }

    /** Those that exclude a wanted one, in order. Not the wanted one itself. */
    public List<CircuitPair> inTheWay(CircuitPair wanted) {
        SortedSet<CircuitPair> all = new TreeSet<>();
        for (String use : ports.uses(wanted)) {
            all.addAll(of(use));
        }
        all.remove(wanted);
        return List.copyOf(all);
    }

    /** The first one that leaves this ingress. */
    public Optional<CircuitPair> from(String ingress) {
        return of(PortMap.ingressUse(ingress)).stream()
                .filter(circuit -> circuit.ingress().equals(ingress))
                .findFirst();
    }
}
