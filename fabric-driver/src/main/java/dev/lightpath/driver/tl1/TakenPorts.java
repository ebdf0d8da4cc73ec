package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.CircuitPair;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which circuit holds a port. On a switch of two sides the ingress and the egress of one name are different places. */
final class TakenPorts {
    private final boolean twoSided;
    private final Map<String, CircuitPair> byPlace = new HashMap<>();

    TakenPorts(boolean twoSided) {
        this.twoSided = twoSided;
    }

    private List<String> places(CircuitPair pair) {
        return List.of("in " + pair.ingress(), (twoSided ? "out " : "in ") + pair.egress());
    }

    void take(CircuitPair pair) {
        places(pair).forEach(place -> byPlace.put(place, pair));
    }

    void free(CircuitPair pair) {
        places(pair).forEach(place -> byPlace.remove(place, pair));
    }

    boolean holds(CircuitPair pair) {
        return places(pair).stream().allMatch(place -> pair.equals(byPlace.get(place)));
    }

    /** One that holds a port of a wanted circuit. */
    Optional<CircuitPair> inTheWay(CircuitPair wanted) {
        return places(wanted).stream()
                .flatMap(place -> Optional.ofNullable(byPlace.get(place)).stream())
                .findFirst();
    }
}
