package dev.lightpath.planner.engine.degrading;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Who is to blame for light of a fabric of switches that is too weak, and how long. Serves one pass. */
public final class WeakLight {
    private final World world;
    private final OcsIntent intent;
    private final FaultTracker before;
    private final SwitchedLight recorded;
    private final Function<String, Optional<DeviceState>> farEnds;

    /**
     * @param before what counted until now
     * @param recorded the light of all records
     * @param farEnds devices at which wires end, by name
     */
    public WeakLight(
            World world,
            OcsIntent intent,
            FaultTracker before,
            SwitchedLight recorded,
            Function<String, Optional<DeviceState>> farEnds) {
        this.world = world;
        this.intent = intent;
        this.before = before;
        this.recorded = recorded;
        this.farEnds = farEnds;
    }

    /** What a switch says of its own port, with a remark where it measures there what enters too weakly. */
    public static Signal entering(DeviceState device, Signal signal) {
        return signal.reason().equals(DeviceState.LOW_POWER)
                        && signal.subject() instanceof Subject.OfPort port
                        && device.light().containsKey(port.port())
                ? signal.remarked(Degrading.ALARMED)
                : signal;
    }

    /** What leaves by a wire is weak at the far end: its egress is to blame, or the port where it entered weakly. */
    public Optional<Signal> at(OcsSwitch of, DeviceState device, OcsSwitch.Wire wire) {
        // what a pod sends does not suffer from what it receives
        double lostDb = Optional.ofNullable(device.peers().get(wire.egress()))
                .map(end -> farEnds.apply(end.device())
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
        return told
                ? Optional.empty()
                : Optional.of(new Signal(
                                suspect, DeviceState.LOW_POWER, intent.policy().hold())
                        .remarked(enters.isPresent() ? Degrading.ENTERING : ""));
    }

    /**
     * Where light entered too weakly for the far end, it is no better once its circuit has left. A new process does not
     * know how strong it was: a person says when it is well.
     */
    public List<Signal> still() {
        List<Signal> signals = new ArrayList<>();
        boolean begins = !world.faults().containsKey(intent.name());
        List<Fault> faults = begins ? intent.recordedFaults().faults() : before.faults();
        for (Fault fault : faults) {
            if (!begins && fault.subject() instanceof Subject.OfPort port && awaitsLight(fault, port)) {
                signals.add(new Signal(port, fault.reason(), intent.policy().hold()).remarked(fault.remark()));
                continue;
            }
            if (fault.subject() instanceof Subject.OfPort port
                    && fault.reason().equals(DeviceState.LOW_POWER)
                    && fault.remark().equals(Degrading.ENTERING)
                    && !fault.quarantined()) {
                Signal signal = new Signal(port, fault.reason(), intent.policy().hold()).remarked(fault.remark());
                if (begins && !Degrading.isCleared(intent.clearances(), fault)) {
                    signals.add(signal.untilCleared());
                } else if (!begins && entersWeakly(port)) {
                    signals.add(signal);
                }
            }
        }
        return signals;
    }

    /**
     * A connector is unplugged to be cleaned, or who sends is off: whether a port that was taken out for what enters it
     * is well again is told once light enters.
     */
    private boolean awaitsLight(Fault fault, Subject.OfPort port) {
        return SignalDegrade.isWeak(fault.reason())
                && isOfEntering(fault)
                && !fault.quarantined()
                && world.device(intent, port.device())
                        .filter(DeviceState::present)
                        .filter(device -> !device.light().isEmpty())
                        .filter(device -> !device.light().containsKey(port.port()))
                        .isPresent();
    }

    private static boolean isOfEntering(Fault fault) {
        return fault.remark().equals(Degrading.ENTERING) || fault.remark().equals(Degrading.ALARMED);
    }

    private boolean entersWeakly(Subject.OfPort port) {
        return world.device(intent, port.device())
                .filter(DeviceState::present)
                .filter(device -> SignalDegrade.entersWeakly(before.light(), port.device(), device, port.port(), 0))
                .isPresent();
    }

    /**
     * Whether no record wants light at a port any more, none is there, and nothing else tells how light fares there.
     */
    public boolean isLeft(Subject.OfPort port) {
        OcsSwitch of = intent.switches().get(port.device());
        DeviceState device = of == null ? null : world.device(of.device()).orElse(null);
        if (of == null || device == null) {
            return false;
        }
        boolean leads = of.wiring().stream().anyMatch(wire -> wire.egress().equals(port.port()));
        boolean measured = !leads && device.light().containsKey(port.port());
        return !measured
                && !isStillMeasured(port, device)
                && (!leads || weakensItself(of, device, port))
                && SignalDegrade.isBare(world, of.device(), device, port.port())
                && recorded.on(of.name()).stream().noneMatch(circuit -> circuit.isAt(port.port()));
    }

    /** Whether a port that was taken out for the light that enters it still measures that. */
    private boolean isStillMeasured(Subject.OfPort port, DeviceState device) {
        return device.light().containsKey(port.port())
                && before.faults().stream().anyMatch(fault -> fault.subject().equals(port) && isOfEntering(fault));
    }

    /**
     * Whether it must be an egress where light gets weak, and not who sends: a switch that measures would tell of the
     * sender, and another weak egress of it says that it did not. A sender would else take one egress after the other
     * with it for good.
     */
    private boolean weakensItself(OcsSwitch of, DeviceState device, Subject.OfPort egress) {
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

    /** Which other ports a fault of a port may be about. */
    public SignalDegrade.Blame blame(Subject.OfPort port, Fault fault) {
        return SignalDegrade.blame(before.light(), port, fault, ingress -> isUsed(port.device(), ingress));
    }

    /** Whether a circuit of a port is lit or recorded. */
    private boolean isUsed(String name, String ingress) {
        return Stream.concat(
                        recorded.on(name).stream(),
                        world.device(intent, name).stream().flatMap(device -> device.circuits().circuits().stream()))
                .anyMatch(circuit -> circuit.ingress().equals(ingress));
    }
}
