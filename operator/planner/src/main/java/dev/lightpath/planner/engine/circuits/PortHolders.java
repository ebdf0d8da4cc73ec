package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.SliceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Whose recorded circuits hold which ports. */
final class PortHolders {
    private final OcsWiring wiring;
    private final Set<PortUse> blocked;
    private final Map<PortUse, SliceId> holders = new HashMap<>();
    /** Ports that more than one slice holds. */
    private final Set<PortUse> shared = new HashSet<>();

    /** @param blocked ports that no slice may plan on */
    PortHolders(OcsWiring wiring, Set<PortUse> blocked) {
        this.wiring = wiring;
        this.blocked = blocked;
    }

    void hold(SliceId holder, String opticalSwitch, Circuit circuit) {
        for (PortUse port : wiring.uses(opticalSwitch, circuit)) {
            SliceId other = holders.putIfAbsent(port, holder);
            if (other != null && !other.equals(holder)) {
                shared.add(port);
            }
        }
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
}
