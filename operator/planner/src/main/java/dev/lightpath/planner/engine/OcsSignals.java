package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What looks wrong on a fabric of switches now: nodes, far ends, switches, ports (spec: faults, 1). */
final class OcsSignals {
    /** How long two ends that face each other may take to see light before its absence starts to count. */
    private static final Duration LOCK_TIME = Duration.ofSeconds(1);

    private final World world;
    private final OcsIntent intent;
    private final OcsWiring wiring;
    private final FarEnds farEnds;
    private final List<Signal> signals = new ArrayList<>();

    private OcsSignals(World world, OcsWiring wiring, FarEnds farEnds) {
        this.world = world;
        this.intent = wiring.intent();
        this.wiring = wiring;
        this.farEnds = farEnds;
    }

    /** @param recorded light that some slice holds */
    static List<Signal> of(World world, OcsWiring wiring, FarEnds farEnds, SwitchedLight recorded) {
        OcsSignals signals = new OcsSignals(world, wiring, farEnds);
        signals.intent.pods().forEach(signals::ofPod);
        signals.intent.switches().values().forEach(signals::ofSwitch);
        signals.lossOfLight(recorded);
        return List.copyOf(signals.signals);
    }

    /** Whether nobody can see the subject now. */
    static boolean unreadable(World world, OcsIntent intent, Subject subject) {
        return switch (subject) {
            case Subject.OfNode node -> false;
            case Subject.OfDevice of -> unreadable(world, intent, of.device());
            case Subject.OfPort of -> unreadable(world, intent, of.device());
        };
    }

    private static boolean unreadable(World world, OcsIntent intent, String device) {
        OcsSwitch of = intent.switches().get(device);
        return of == null
                ? intent.drivers().stream()
                        .anyMatch(driver -> !world.driver(driver).synced())
                : !world.driver(of.device().driver()).synced();
    }

    private void ofPod(OcsPod pod) {
        pod.nodes().values().forEach(signals::addAll);
        farEnds.device(pod.name())
                .filter(device -> !device.present())
                .ifPresent(device -> signals.add(new Signal(
                        new Subject.OfDevice(pod.name()),
                        "DeviceSilent",
                        intent.policy().hold())));
    }

    private void ofSwitch(OcsSwitch of) {
        if (!world.driver(of.device().driver()).synced()) {
            return;
        }
        Duration hold = intent.policy().hold();
        DeviceState device = world.device(of.device()).orElse(null);
        if (device == null) {
            signals.add(new Signal(new Subject.OfDevice(of.name()), "DeviceUnknown", hold));
            return;
        }
        switch (device.presence()) {
            case SILENT -> signals.add(new Signal(new Subject.OfDevice(of.name()), "DeviceSilent", hold));
            case FOREIGN -> signals.add(new Signal(new Subject.OfDevice(of.name()), "HeldByAnotherRole", hold));
            case PRESENT -> {
                device.failedPorts()
                        .forEach((port, reason) ->
                                signals.add(new Signal(new Subject.OfPort(of.name(), port), reason, hold)));
                Equipment.lacking(of, device)
                        .keySet()
                        .forEach(port -> signals.add(
                                new Signal(new Subject.OfPort(of.name(), port), Equipment.PORT_MISSING, hold)));
            }
        }
    }

    /** The only circuit between two pods is at rest, and the pod that should hear the other does not. */
    private void lossOfLight(SwitchedLight recorded) {
        Map<OcsWiring.Ends, Integer> circuits = new HashMap<>();
        recorded.forEach((name, circuit) -> wiring.ends(name, circuit).ifPresent(ends -> {
            circuits.merge(ends, 1, Integer::sum);
            if (wiring.kind(name) == DeviceKind.ANY_TO_ANY) {
                circuits.merge(new OcsWiring.Ends(ends.to(), ends.from()), 1, Integer::sum);
            }
        }));
        Set<dev.lightpath.planner.light.DeviceId> locked = new HashSet<>(world.locked());
        recorded.forEach((name, circuit) -> wiring.ends(name, circuit).ifPresent(ends -> {
            OcsSwitch of = intent.switches().get(name);
            DeviceState device = of == null ? null : world.device(of.device()).orElse(null);
            if (of == null || device == null || locked.contains(of.device()) || !atRest(of, device, circuit)) {
                return;
            }
            boolean deaf = alone(circuits, ends) && farEnds.heard(ends.to(), ends.from()) == 0;
            boolean mute = of.kind() == DeviceKind.ANY_TO_ANY
                    && alone(circuits, ends)
                    && farEnds.heard(ends.from(), ends.to()) == 0;
            if (farEnds.know(ends.from(), ends.to()) && (deaf || mute)) {
                Duration hold = intent.policy().hold().plus(LOCK_TIME);
                signals.add(new Signal(new Subject.OfPort(name, circuit.ingress()), "LossOfLight", hold));
                signals.add(new Signal(new Subject.OfPort(name, circuit.egress()), "LossOfLight", hold));
            }
        }));
    }

    private static boolean alone(Map<OcsWiring.Ends, Integer> circuits, OcsWiring.Ends ends) {
        return circuits.getOrDefault(ends, 0) == 1;
    }

    private static boolean atRest(OcsSwitch of, DeviceState device, Circuit circuit) {
        return device.present()
                && device.operation().isEmpty()
                && OcsLight.shows(of, device, circuit)
                && !device.moving().contains(circuit.ingress())
                && !device.moving().contains(circuit.egress())
                && !device.failedPorts().containsKey(circuit.ingress())
                && !device.failedPorts().containsKey(circuit.egress());
    }
}
