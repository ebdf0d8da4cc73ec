package dev.lightpath.planner.engine.degrading;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.health.OpticalHealth;
import dev.lightpath.planner.health.Place;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Weak light that was left is not seen any more, and the port is no better for it: a person says when it is (ADR 21).
 */
public final class SignalDegrade {
    /** Less may be the noise of a monitor. */
    private static final double LEAST_LOSS_DB = 0.5;

    /** Where a port that was left stands. */
    public enum Blame {
        /** It is to blame. */
        ALONE,
        /** It is, or the port that its remark names, and nobody will tell. */
        SHARED,
        /** Whether it is will be known in a moment. */
        OPEN,
        /** Another port is. */
        ELSEWHERE
    }

    private SignalDegrade() {}

    /**
     * What stays wrong until a person clears it. Linear in faults.
     *
     * @param signals what is seen now: a port that is seen was not left
     * @param isLeft whether no record wants light at a port any more, and none is there
     * @param blame of a port with a fault
     */
    public static List<Signal> left(
            FaultTracker before,
            List<Signal> signals,
            Duration hold,
            Predicate<Subject.OfPort> isLeft,
            BiFunction<Subject.OfPort, Fault, Blame> blame) {
        List<Signal> left = new ArrayList<>();
        for (Fault fault : before.faults()) {
            if (isWeak(fault.reason())
                    && !fault.quarantined()
                    && fault.subject() instanceof Subject.OfPort port
                    && signals.stream().noneMatch(signal -> signal.subject().equals(port))
                    && isLeft.test(port)) {
                Signal signal = new Signal(port, fault.reason(), hold);
                switch (blame.apply(port, fault)) {
                    case ALONE -> left.add(signal.untilCleared());
                    case SHARED -> left.add(signal.remarked(fault.remark()).untilCleared());
                    case OPEN -> left.add(signal.remarked(fault.remark()));
                    case ELSEWHERE -> {}
                }
            }
        }
        return left;
    }

    /** Whether a fault says that light is weak, or gets weak: it is not seen any more where no light is. */
    public static boolean isWeak(String reason) {
        return reason.equals(DeviceState.LOW_POWER) || reason.equals(Finding.REASON);
    }

    /**
     * Whether light that is weak at the far end gets weak before it enters a switch: an alarm or optical health says
     * so, or half of what is lost at the far end is lost there already.
     *
     * @param lostDb at the far end; 0 where that is unknown
     */
    public static boolean entersWeakly(
            OpticalHealth health, String name, DeviceState device, String ingress, double lostDb) {
        return DeviceState.LOW_POWER.equals(device.failedPorts().get(ingress))
                || health.findings().containsKey(new Place(name, ingress))
                || lostDb > 0
                        && LightWatch.lossDb(health, name, device, ingress) >= Math.max(LEAST_LOSS_DB, lostDb / 2);
    }

    /**
     * Who is to blame for a loss of circuits to a port that was left. It is not known whether their ingress is dirty or
     * their egress, until the ingress has another circuit.
     *
     * @param isUsed whether light enters or is to enter at a port of the same switch
     */
    public static Blame blame(OpticalHealth health, Subject.OfPort port, Fault fault, Predicate<String> isUsed) {
        return fault.reason().equals(Finding.REASON)
                ? health.suspect(new Place(port.device(), port.port()))
                        .map(suspect -> suspect.proved()
                                ? Blame.ELSEWHERE
                                : isUsed.test(suspect.ingress().port()) ? Blame.OPEN : Blame.SHARED)
                        .orElse(Blame.ALONE)
                : Blame.ALONE;
    }

    /** Whether a device that can be believed shows no circuit at a port. */
    public static boolean isBare(World world, DeviceId id, DeviceState device, String port) {
        return world.driver(id.driver()).synced()
                && device.present()
                && device.operation().isEmpty()
                && !world.locked().contains(id)
                && !device.moving().contains(port)
                && device.circuits().circuits().stream().noneMatch(circuit -> circuit.isAt(port));
    }

    /** Where the light that leaves by a wire enters the switch. */
    public static Stream<String> entering(OcsSwitch of, DeviceState device, OcsSwitch.Wire wire) {
        return device.circuits().circuits().stream()
                .filter(circuit -> circuit.egress().equals(wire.egress())
                        || of.kind() == DeviceKind.ANY_TO_ANY
                                && circuit.ingress().equals(wire.egress()))
                .map(circuit -> circuit.egress().equals(wire.egress()) ? circuit.ingress() : circuit.egress());
    }
}
