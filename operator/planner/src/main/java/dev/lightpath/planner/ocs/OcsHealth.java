package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Failed switches, ports and pods.
 *
 * @param switches that failed, by name
 * @param ports that failed
 * @param pods that failed as a whole
 * @param burning circuits on failed switches whose light the far ends still receive: better left alone
 */
public record OcsHealth(Set<String> switches, Set<FailedPort> ports, Set<String> pods, SwitchedLight burning) {
    /**
     * A port by the switch's name.
     *
     * @param side in which it cannot be used; {@code BOTH}: neither for light that enters nor for light that leaves
     */
    public record FailedPort(String opticalSwitch, PortUse.Side side, String port) {
        public FailedPort(String opticalSwitch, String port) {
            this(opticalSwitch, PortUse.Side.BOTH, port);
        }
    }

    public OcsHealth {
        switches = Set.copyOf(switches);
        ports = Set.copyOf(ports);
        pods = Set.copyOf(pods);
    }

    /** Nothing has failed. */
    public static OcsHealth sound() {
        return new OcsHealth(Set.of(), Set.of(), Set.of(), SwitchedLight.none());
    }

    /** The same with more switches out of use. */
    public OcsHealth and(Set<String> moreSwitches) {
        Set<String> all = new HashSet<>(switches);
        all.addAll(moreSwitches);
        return new OcsHealth(all, ports, pods, burning);
    }

    /** Whether light may enter a switch by a wire: its port works, and nobody has it. */
    public boolean enters(OcsSwitch of, OcsSwitch.Wire wire, Predicate<PortUse> taken) {
        return !lostIngress(of.name(), wire.ingress())
                && !taken.test(PortUse.ingress(of.name(), of.kind(), wire.ingress()));
    }

    /** Whether light may leave a switch by a wire, likewise. */
    public boolean leaves(OcsSwitch of, OcsSwitch.Wire wire, Predicate<PortUse> taken) {
        return !lostEgress(of.name(), wire.egress())
                && !taken.test(PortUse.egress(of.name(), of.kind(), wire.egress()));
    }

    /** Whether no light may enter a switch there. */
    public boolean lostIngress(String opticalSwitch, String port) {
        return lost(opticalSwitch, PortUse.Side.INGRESS, port);
    }

    /** Whether no light may leave a switch there. */
    public boolean lostEgress(String opticalSwitch, String port) {
        return lost(opticalSwitch, PortUse.Side.EGRESS, port);
    }

    private boolean lost(String opticalSwitch, PortUse.Side side, String port) {
        return ports.contains(new FailedPort(opticalSwitch, port))
                || ports.contains(new FailedPort(opticalSwitch, side, port));
    }

    /** Whether a new circuit may be planned there at all. */
    boolean open(OcsSwitch of) {
        return !of.drained() && !switches.contains(of.name());
    }

    /** Whether a circuit that is planned can stay. */
    public boolean supports(String opticalSwitch, Circuit circuit) {
        if (switches.contains(opticalSwitch)) {
            return burning.on(opticalSwitch).contains(circuit);
        }
        return !lostIngress(opticalSwitch, circuit.ingress()) && !lostEgress(opticalSwitch, circuit.egress());
    }
}
