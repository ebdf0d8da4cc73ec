package dev.lightpath.console.report;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.reading.OcsIntentReader;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The recorded circuits of slices, seen as joins between pods. */
public final class PodCircuits {
    /** Circuits that lead light from one pod to another, in each direction; a key is "from to". */
    private final Map<String, Integer> directed = new HashMap<>();

    private final OcsWiring wiring;

    private PodCircuits(OcsWiring wiring) {
        this.wiring = wiring;
    }

    /** How the pods of a fabric are wired; empty when it has none, or its description is impossible. */
    public static Optional<OcsWiring> wiring(OpticalFabric fabric, Collection<OpticalSwitch> switches) {
        try {
            Optional<OcsIntent> intent = new OcsIntentReader("").read(fabric, switches, List.of());
            return intent.map(OcsWiring::of);
        } catch (IllegalArgumentException impossible) {
            return Optional.empty(); // the fabric's own status says what is wrong with it
        }
    }

    public static PodCircuits of(OcsWiring wiring, Collection<Allocation> allocations) {
        PodCircuits count = new PodCircuits(wiring);
        for (Allocation allocation : allocations) {
            for (SwitchCircuits circuits : allocation.circuits()) {
                circuits.circuits().forEach(circuit -> count.add(circuits.opticalSwitch(), circuit));
            }
        }
        return count;
    }

    /** A circuit of a two-sided device leads one way, one of an any-to-any device both. */
    private void add(String opticalSwitch, String written) {
        int dash = written.indexOf('-');
        if (dash < 0) {
            return;
        }
        wiring.ends(opticalSwitch, new Circuit(written.substring(0, dash), written.substring(dash + 1)))
                .ifPresent(ends -> {
                    directed.merge(ends.from() + " " + ends.to(), 1, Integer::sum);
                    if (wiring.kind(opticalSwitch) == DeviceKind.ANY_TO_ANY) {
                        directed.merge(ends.to() + " " + ends.from(), 1, Integer::sum);
                    }
                });
    }

    /** Duplex circuits between two pods. */
    public int between(String a, String b) {
        return Math.min(directed.getOrDefault(a + " " + b, 0), directed.getOrDefault(b + " " + a, 0));
    }

    /** Ports of a pod that are in use. */
    public int ports(String pod) {
        int out = 0;
        int in = 0;
        for (Map.Entry<String, Integer> each : directed.entrySet()) {
            out += each.getKey().startsWith(pod + " ") ? each.getValue() : 0;
            in += each.getKey().endsWith(" " + pod) ? each.getValue() : 0;
        }
        return Math.max(out, in);
    }

    public Optional<String> podOfIndex(int index) {
        return wiring.pods().values().stream()
                .filter(pod -> pod.index() == index)
                .map(OcsPod::name)
                .findFirst();
    }
}
