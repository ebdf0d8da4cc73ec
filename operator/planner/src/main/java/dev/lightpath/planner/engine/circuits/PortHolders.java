package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whose recorded circuits hold which ports, looked up by port and by pod. */
final class PortHolders {
    private record Held(SliceId holder, List<PortUse> ports) {}

    private final OcsWiring wiring;
    private final Set<PortUse> blocked;
    private final Map<PortUse, SliceId> holders = new HashMap<>();
    /** Ports that more than one slice holds. */
    private final Set<PortUse> shared = new HashSet<>();

    private final Map<String, List<Held>> byPod = new HashMap<>();
    /** Recorded circuits at whose ports nothing is wired any more. */
    private final List<Held> unwired = new ArrayList<>();

    /** @param blocked ports that no slice may plan on */
    PortHolders(OcsWiring wiring, Set<PortUse> blocked) {
        this.wiring = wiring;
        this.blocked = blocked;
    }

    /** A slice holds a circuit. */
    void hold(SliceId holder, String opticalSwitch, Circuit circuit) {
        Held held = new Held(holder, wiring.uses(opticalSwitch, circuit));
        for (PortUse port : held.ports()) {
            SliceId other = holders.putIfAbsent(port, holder);
            if (other != null && !other.equals(holder)) {
                shared.add(port);
            }
        }
        Optional<OcsWiring.Ends> ends = wiring.ends(opticalSwitch, circuit);
        if (ends.isEmpty()) {
            unwired.add(held);
            return;
        }
        byPod.computeIfAbsent(ends.get().from(), pod -> new ArrayList<>()).add(held);
        byPod.computeIfAbsent(ends.get().to(), pod -> new ArrayList<>()).add(held);
    }

    /** Whether a slice may not plan on a port: no slice may, or another one holds it. */
    boolean barredTo(SliceId slice, PortUse port) {
        SliceId holder = holders.get(port);
        return blocked.contains(port) || (holder != null && (!holder.equals(slice) || shared.contains(port)));
    }

    /** Ports on which a slice may not plan. Linear in circuits. */
    Set<PortUse> barredTo(SliceId slice) {
        Set<PortUse> barred = new HashSet<>(blocked);
        holders.keySet().stream().filter(port -> barredTo(slice, port)).forEach(barred::add);
        return barred;
    }

    /** The same, as far as a plan for these pods looks. Linear in circuits of these pods. */
    Set<PortUse> barredTo(SliceId slice, Collection<String> pods) {
        Set<PortUse> barred = new HashSet<>(blocked);
        addOfOthers(barred, slice, unwired);
        for (String pod : pods) {
            addOfOthers(barred, slice, byPod.getOrDefault(pod, List.of()));
        }
        return barred;
    }

    private static void addOfOthers(Set<PortUse> barred, SliceId slice, List<Held> circuits) {
        for (Held held : circuits) {
            if (!held.holder().equals(slice)) {
                barred.addAll(held.ports());
            }
        }
    }
}
