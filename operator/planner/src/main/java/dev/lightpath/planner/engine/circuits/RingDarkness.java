package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/**
 * How much light of running pods is dark on a ring. A bundle at rest always leads somewhere, if only back, so one that
 * is to be lit and leads nowhere was taken down by a change that is not done: whatever process made it. Of a device
 * whose outcome is not known all that is not as wanted may be dark.
 */
public final class RingDarkness implements Darkness {
    private final RingState state;
    private final RingCircuits light;
    private final SortedSet<DeviceId> locked;
    /** Ingress ports of dark circuits. */
    private final Map<DeviceId, Set<String>> dark = new HashMap<>();

    /** Linear in nodes. */
    public RingDarkness(RingState state, RingCircuits light) {
        this.state = state;
        this.light = light;
        this.locked = state.world().locked();
        light.wanted().forEach((node, device, circuits) -> {
            if (device != null
                    && device.present()
                    && !(device.moving().isEmpty() && circuits.equals(device.circuits()))
                    && light.underPods(node)) {
                add(state.deviceId(node), device, circuits);
            }
        });
    }

    private void add(DeviceId id, DeviceState device, CrossConnects wanted) {
        // what it cannot make, or failed to make again and again, a fault keeps from being lit
        if (state.world().failsAgain(id)
                || wanted.circuits().stream()
                        .anyMatch(circuit -> device.refusal(circuit).isPresent())) {
            return;
        }
        for (Circuit circuit : wanted.circuits()) {
            boolean failed = device.failedPorts().containsKey(circuit.ingress())
                    || device.failedPorts().containsKey(circuit.egress());
            boolean moving = device.moving().contains(circuit.ingress());
            boolean lit = device.circuits().contains(circuit) && !moving;
            boolean takenDown = locked.contains(id)
                    || moving
                    || device.circuits().egressOf(circuit.ingress()).isEmpty();
            if (!failed && !lit && takenDown) {
                dark.computeIfAbsent(id, of -> new HashSet<>()).add(circuit.ingress());
            }
        }
    }

    @Override
    public int now() {
        return dark.values().stream().mapToInt(Set::size).sum();
    }

    @Override
    public Cost of(DeviceChange change) {
        int during =
                light.underPods(change.device().device()) ? change.disconnects().size() : 0;
        Set<String> relit = dark.getOrDefault(change.device(), Set.of());
        int after = Math.toIntExact(change.connects().stream()
                .filter(circuit -> relit.contains(circuit.ingress()))
                .count());
        return new Cost(during, -after);
    }

    /** A device takes one change at a time. */
    @Override
    public void take(DeviceChange change) {}

    /** What a change darkens does not depend on others: only what is dark now can make room. */
    @Override
    public boolean maySubside() {
        return dark.keySet().stream()
                .anyMatch(id -> locked.contains(id) || state.world().waits(id));
    }
}
