package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.degrading.Degrading;
import dev.lightpath.planner.engine.degrading.LightWatch;
import dev.lightpath.planner.engine.degrading.OcsDegrading;
import dev.lightpath.planner.engine.degrading.SignalDegrade;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.SignalSources;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;

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
        signals.farPorts(before);
        signals.stillWeak(before);
        signals.lossOfLight(dark, before);
        signals.stillDark(before);
        signals.signals.addAll(
                new OcsDegrading(world, wiring.intent()).signals(wiring, recorded, before, described.unfit()));
        signals.signals.addAll(SignalDegrade.left(
                before,
                signals.signals,
                wiring.intent().policy().hold(),
                port -> signals.isLeft(port, recorded, before),
                (port, fault) -> SignalDegrade.blame(
                        before.light(), port, fault, ingress -> signals.isUsed(port.device(), ingress, recorded))));
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
            signals.addAll(presence.signals(of.name(), world.device(of.device()).orElse(null)));
        }
    }

    /** Whether a circuit of a port is lit or recorded. */
    private boolean isUsed(String name, String ingress, SwitchedLight recorded) {
        return Stream.concat(
                        recorded.on(name).stream(),
                        world.device(intent, name).stream().flatMap(device -> device.circuits().circuits().stream()))
                .anyMatch(circuit -> circuit.ingress().equals(ingress));
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
        for (SliceIntent slice : world.slices().values()) {
            if (slice.fabric().equals(intent.name())) {
                world.allocation(slice.id()).ifPresent(allocation -> {
                    String occasion = slice.id() + "/" + allocation.revision();
                    allocation
                            .circuits()
                            .forEach((name, circuit) -> lightings.put(new SwitchCircuit(name, circuit), occasion));
                });
            }
        }
        return lightings;
    }

    /**
     * Whether no record wants light at a port any more, none is there, and nothing else tells how light fares there.
     */
    private boolean isLeft(Subject.OfPort port, SwitchedLight recorded, FaultTracker before) {
        OcsSwitch of = intent.switches().get(port.device());
        DeviceState device = of == null ? null : world.device(of.device()).orElse(null);
        if (of == null || device == null) {
            return false;
        }
        boolean leads = of.wiring().stream().anyMatch(wire -> wire.egress().equals(port.port()));
        boolean measured = !leads && device.light().containsKey(port.port());
        return !measured
                && !entersWeakly(port, device, before)
                && (!leads || weakensItself(of, device, port, before))
                && SignalDegrade.isBare(world, of.device(), device, port.port())
                && recorded.on(of.name()).stream().noneMatch(circuit -> circuit.isAt(port.port()));
    }

    /** Whether a port that was taken out for the light that enters it still measures that. */
    private static boolean entersWeakly(Subject.OfPort port, DeviceState device, FaultTracker before) {
        return device.light().containsKey(port.port())
                && before.faults().stream()
                        .anyMatch(fault ->
                                fault.subject().equals(port) && fault.remark().equals(Degrading.ENTERING));
    }

    /**
     * Whether it must be an egress where light gets weak, and not who sends: a switch that measures would tell of the
     * sender, and another weak egress of it says that it did not. A sender would else take one egress after the other
     * with it for good.
     */
    private static boolean weakensItself(OcsSwitch of, DeviceState device, Subject.OfPort egress, FaultTracker before) {
        // a port that only gets worse is compared with its peers: a sender that gets weak blames no second one
        boolean told = !device.light().isEmpty()
                || before.faults().stream()
                        .anyMatch(fault ->
                                fault.subject().equals(egress) && fault.reason().equals(Finding.REASON));
        return told
                && before.faults().stream()
                        .filter(fault -> SignalDegrade.isWeak(fault.reason()))
                        .map(Fault::subject)
                        .noneMatch(subject -> subject instanceof Subject.OfPort other
                                && other.device().equals(of.name())
                                && !other.equals(egress)
                                && of.wiring().stream()
                                        .anyMatch(wire -> wire.egress().equals(other.port())));
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
    private void farPorts(FaultTracker before) {
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
                    .ifPresent(device -> farPorts(of, device, failed, before));
        }
    }

    private void farPorts(OcsSwitch of, DeviceState device, Map<FarEnd, String> failed, FaultTracker before) {
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
                weak(of, device, wire, before, hold);
            } else {
                signals.add(new Signal(new Subject.OfPort(of.name(), wire.egress()), reason, hold));
                signals.add(new Signal(new Subject.OfPort(of.name(), wire.ingress()), reason, hold));
            }
        }
    }

    /** What leaves by a wire is weak at the far end: its egress is to blame, or the port where it entered weakly. */
    private void weak(OcsSwitch of, DeviceState device, OcsSwitch.Wire wire, FaultTracker before, Duration hold) {
        // what a pod sends does not suffer from what it receives
        double lostDb = Optional.ofNullable(device.peers().get(wire.egress()))
                .map(end -> farEnds.device(end.device())
                        .map(pod -> LightWatch.lossDb(before.light(), end.device(), pod, end.port()))
                        .orElse(0.0))
                .orElse(0.0);
        Optional<String> enters = SignalDegrade.entering(of, device, wire)
                .filter(port -> SignalDegrade.entersWeakly(before.light(), of.name(), device, port, lostDb))
                .findFirst();
        Subject suspect = new Subject.OfPort(of.name(), enters.orElse(wire.egress()));
        // a port that gets weak itself is left for that
        boolean told = enters.isPresent()
                && (device.failedPorts().containsKey(enters.get()) || Degrading.isOut(before, suspect));
        if (!told) {
            signals.add(new Signal(suspect, DeviceState.LOW_POWER, hold)
                    .remarked(enters.isPresent() ? Degrading.ENTERING : ""));
        }
    }

    /**
     * Where light entered too weakly for the far end, it is no better once its circuit has left. A new process does not
     * know how strong it was: a person says when it is well.
     */
    private void stillWeak(FaultTracker before) {
        boolean begins = !world.faults().containsKey(intent.name());
        List<Fault> faults = begins ? intent.recordedFaults().faults() : before.faults();
        for (Fault fault : faults) {
            if (fault.subject() instanceof Subject.OfPort port
                    && fault.reason().equals(DeviceState.LOW_POWER)
                    && fault.remark().equals(Degrading.ENTERING)
                    && !fault.quarantined()) {
                Signal signal = new Signal(port, fault.reason(), intent.policy().hold()).remarked(fault.remark());
                if (begins && !Degrading.isCleared(intent.clearances(), fault)) {
                    signals.add(signal.untilCleared());
                } else if (!begins && entersWeakly(port, before)) {
                    signals.add(signal);
                }
            }
        }
    }

    private boolean entersWeakly(Subject.OfPort port, FaultTracker before) {
        return world.device(intent, port.device())
                .filter(DeviceState::present)
                .filter(device -> SignalDegrade.entersWeakly(before.light(), port.device(), device, port.port(), 0))
                .isPresent();
    }
}
