package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.degrading.OcsDegrading;
import dev.lightpath.planner.engine.degrading.SignalDegrade;
import dev.lightpath.planner.engine.degrading.WeakLight;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.SignalSources;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.SwitchCircuit;
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
import java.util.SortedMap;

/** What looks wrong on a fabric of switches now: nodes, far ends, switches, ports (spec: faults, 1). */
final class OcsSignals {
    /** Names no driver: an endpoint has a port. */
    private static final String ALL_DRIVERS = "drivers";

    private final World world;
    private final OcsIntent intent;
    private final PeerObservations farEnds;
    private final DevicePresence presence;
    private final List<Signal> signals = new ArrayList<>();

    private OcsSignals(World world, OcsWiring wiring, PeerObservations farEnds) {
        this.world = world;
        this.intent = wiring.intent();
        this.farEnds = farEnds;
        this.presence = new DevicePresence(world, intent);
    }

    /**
     * @param recorded the light of all records
     * @param dark circuits without light
     * @param before what counted until now
     */
    static List<Signal> of(
            World world,
            WiringIndex described,
            PeerObservations farEnds,
            SwitchedLight recorded,
            LossOfSignal dark,
            FaultTracker before) {
        OcsWiring wiring = described.wiring();
        OcsSignals signals = new OcsSignals(world, wiring, farEnds);
        signals.intent.pods().forEach(signals::ofPod);
        signals.intent.switches().values().forEach(signals::ofSwitch);
        WeakLight weak = new WeakLight(world, signals.intent, before, recorded, farEnds::device);
        signals.farPorts(weak);
        signals.signals.addAll(weak.still());
        signals.lossOfLight(dark, before);
        signals.stillDark(before);
        signals.signals.addAll(
                new OcsDegrading(world, wiring.intent()).signals(wiring, recorded, before, described.unfit()));
        signals.signals.addAll(SignalDegrade.left(
                before, signals.signals, wiring.intent().policy().hold(), weak::isLeft, weak::blame));
        return List.copyOf(signals.signals);
    }

    /**
     * Kubernetes tells of nodes, the driver of a switch of that, and all drivers together of what is at the far ends.
     */
    static SignalSources sources(World world, OcsIntent intent) {
        Set<String> heard = new HashSet<>();
        intent.drivers().stream()
                .filter(driver -> world.driver(driver).synced())
                .forEach(heard::add);
        if (heard.size() == intent.drivers().size()) {
            heard.add(ALL_DRIVERS);
        }
        heard.add(SignalSources.KUBERNETES);
        return new SignalSources(
                subject -> switch (subject) {
                    case Subject.OfNode node -> SignalSources.KUBERNETES;
                    case Subject.OfDevice of -> source(intent, of.device());
                    case Subject.OfPort of -> source(intent, of.device());
                },
                heard);
    }

    private static String source(OcsIntent intent, String device) {
        OcsSwitch of = intent.switches().get(device);
        return of == null ? ALL_DRIVERS : of.device().driver();
    }

    private void ofPod(OcsPod pod) {
        pod.nodes().values().forEach(signals::addAll);
        farEnds.device(pod.name())
                .filter(device -> !device.present() && !device.away())
                .ifPresent(device -> signals.add(new Signal(
                        new Subject.OfDevice(pod.name()),
                        "DeviceSilent",
                        intent.policy().hold())));
        farEnds.device(pod.name())
                .filter(device -> !device.away())
                .map(device -> device.failedPorts().get(""))
                .ifPresent(reason -> signals.add(new Signal(
                        new Subject.OfDevice(pod.name()),
                        reason,
                        intent.policy().hold())));
    }

    private void ofSwitch(OcsSwitch of) {
        if (world.driver(of.device().driver()).synced()) {
            DeviceState device = world.device(of.device()).orElse(null);
            presence.signals(of.name(), device)
                    .forEach(signal -> signals.add(device == null ? signal : WeakLight.entering(device, signal)));
        }
    }

    /** Circuits that are made and carry no light. */
    private void lossOfLight(LossOfSignal dark, FaultTracker before) {
        Duration hold = intent.policy().hold();
        Map<SwitchCircuit, String> lightings = dark.losses().isEmpty() ? Map.of() : lightings();
        dark.losses()
                .forEach((spot, loss) -> loss.suspects().forEach(port -> {
                    Subject suspect = new Subject.OfPort(spot.opticalSwitch(), port);
                    Duration patience = LinkUpGrace.patience(before, suspect);
                    signals.add(new Signal(suspect, loss.reason(), hold.plus(patience))
                            .dueTo(lightings.getOrDefault(spot, "")));
                }));
    }

    /** By circuit, the record that lit it: light that is made is dark for a moment, and that is no flapping. */
    private Map<SwitchCircuit, String> lightings() {
        Map<SwitchCircuit, String> lightings = new HashMap<>();
        world.forEachAllocation(intent, (slice, allocation) -> {
            String occasion = slice + "/" + allocation.revision();
            allocation.circuits().forEach((name, circuit) -> lightings.put(new SwitchCircuit(name, circuit), occasion));
        });
        return lightings;
    }

    /** What was found dark is so until light enters again, also while no circuit ends there. */
    private void stillDark(FaultTracker before) {
        for (Fault fault : before.faults()) {
            if (fault.subject() instanceof Subject.OfPort port
                    && fault.reason().equals(LossOfSignal.LOSS_OF_LIGHT)
                    && LossOfSignal.stillDark(world, intent, port)) {
                signals.add(new Signal(port, fault.reason(), intent.policy().hold()));
            }
        }
    }

    /**
     * What a pod's own device says of its ports concerns the ports of switches where their fibres end, as far as that
     * is said.
     */
    private void farPorts(WeakLight weak) {
        Map<FarEnd, String> failed = new HashMap<>();
        for (OcsPod pod : intent.pods()) {
            farEnds.device(pod.name())
                    .filter(DeviceState::present)
                    .ifPresent(device -> device.failedPorts()
                            .forEach((port, reason) -> failed.put(new FarEnd(pod.name(), port), reason)));
        }
        if (failed.isEmpty()) {
            return;
        }
        for (OcsSwitch of : intent.switches().values()) {
            world.device(of.device())
                    .filter(DeviceState::present)
                    .ifPresent(device -> farPorts(of, device, failed, weak));
        }
    }

    private void farPorts(OcsSwitch of, DeviceState device, Map<FarEnd, String> failed, WeakLight weak) {
        SortedMap<String, FarEnd> peers = device.peers();
        Duration hold = intent.policy().hold();
        for (OcsSwitch.Wire wire : of.wiring()) {
            String leaving = failed.get(peers.get(wire.egress()));
            String entering = failed.get(peers.get(wire.ingress()));
            String reason = leaving == null ? entering : leaving;
            if (reason == null) {
                continue;
            }
            if (reason.equals(DeviceState.LOW_POWER)) {
                weak.at(of, device, wire).ifPresent(signals::add);
            } else {
                signals.add(new Signal(new Subject.OfPort(of.name(), wire.egress()), reason, hold));
                signals.add(new Signal(new Subject.OfPort(of.name(), wire.ingress()), reason, hold));
            }
        }
    }
}
