package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A circuit the kit may make without touching another lane.
 *
 * @param rest the circuit its ingress has when the kit leaves it alone; a transceiver's power-on position
 * @param alternative another circuit of the same ingress that touches no other lane but the last of three and more
 */
record Lane(CircuitKey circuit, Optional<CircuitKey> rest, Optional<CircuitKey> alternative) {
    List<String> ports() {
        List<String> ports = new ArrayList<>(List.of(circuit.getIngress(), circuit.getEgress()));
        rest.ifPresent(r -> ports.add(r.getEgress()));
        alternative.ifPresent(a -> ports.add(a.getEgress()));
        return List.copyOf(ports);
    }
}
