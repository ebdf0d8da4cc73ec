package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.OcsTopology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A switch that does not answer may shine on: the far ends tell, once all circuits of two pods are heard that may be
 * lit. One that is heard by any far end has not died. Its circuits to far ends that do not answer either are left
 * alone, because nobody can say that they are dark. One that no far end hears counts as dead.
 *
 * @param awaited ends of links that stages made; of those that are not seen lit the news may be on the way
 */
record BurningLight(
        OcsWiring wiring,
        PeerObservations farEnds,
        ResidualLight residual,
        SwitchedLight recorded,
        LossOfSignal dark,
        Set<Subject> awaited) {
    /** What of the recorded light on failed switches burns. Linear in recorded circuits if any failed. */
    SwitchedLight on(Set<String> failed) {
        if (failed.isEmpty()) {
            return SwitchedLight.none();
        }
        Map<OcsWiring.Ends, Integer> circuits = new HashMap<>();
        recorded.forEach((name, circuit) -> wiring.joined(name, circuit)
                .filter(ends -> dark.mayBeLit(name, circuit) && !isAwaited(name, circuit))
                .ifPresent(ends -> circuits.merge(ends, 1, Integer::sum)));
        Set<String> alive = new HashSet<>();
        recorded.forEach((name, circuit) -> {
            if (failed.contains(name)
                    && dark.mayBeLit(name, circuit)
                    && directions(name, circuit).stream()
                            .anyMatch(ends -> all(circuits, name, ends) > 0 && isHeard(circuits, name, ends))) {
                alive.add(name);
            }
        });
        return recorded.filter((name, circuit) -> {
            List<OcsWiring.Ends> directions = directions(name, circuit);
            if (directions.isEmpty() || !failed.contains(name) || !dark.mayBeLit(name, circuit)) {
                return false;
            }
            boolean mayShine = alive.contains(name) && dark.isSilent(name);
            return directions.stream().allMatch(ends -> isHeard(circuits, name, ends) || mayShine && isUnheardOf(ends));
        });
    }

    private boolean isAwaited(String name, Circuit circuit) {
        return Stream.of(circuit.ingress(), circuit.egress())
                .map(port -> new Subject.OfPort(name, port))
                .anyMatch(end -> awaited.contains(end) && dark.unlit().contains(end));
    }

    private List<OcsWiring.Ends> directions(String name, Circuit circuit) {
        return wiring.ways(name, circuit).stream().map(OcsWiring.Way::ends).toList();
    }

    private int all(Map<OcsWiring.Ends, Integer> circuits, String name, OcsWiring.Ends ends) {
        return circuits.getOrDefault(wiring.joined(name, ends), 0);
    }

    private boolean isHeard(Map<OcsWiring.Ends, Integer> circuits, String name, OcsWiring.Ends ends) {
        return farEnds.heardWithoutProbes(ends.to(), ends.from()) - residual.heard(ends) >= all(circuits, name, ends);
    }

    /** A driver tells of the receiver, and it does not answer. A torus needs the pod itself. */
    private boolean isUnheardOf(OcsWiring.Ends ends) {
        return !(wiring.intent().topology() instanceof OcsTopology.TwistedTorus)
                && farEnds.device(ends.to()).isPresent()
                && !farEnds.listens(ends.to());
    }
}
