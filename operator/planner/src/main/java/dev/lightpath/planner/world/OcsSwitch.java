package dev.lightpath.planner.world;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.stripe.DeviceKind;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An optical switch and its wiring.
 *
 * @param name of the OpticalSwitch
 * @param kind which of its ports may be connected
 * @param plane its number in the fabric, where the topology numbers them
 * @param wiring which port of which pod ends where; empty while that is unknown
 * @param reserved ports that are planned only as replacements
 * @param drained whether it takes no new circuit and its circuits move away where they can
 * @param domains what it shares with others
 */
public record OcsSwitch(
        String name,
        DeviceId device,
        DeviceKind kind,
        OptionalInt plane,
        List<Wire> wiring,
        SortedSet<String> reserved,
        boolean drained,
        Domains domains) {
    /** One of which nobody says what it shares with others. */
    public OcsSwitch(
            String name,
            DeviceId device,
            DeviceKind kind,
            OptionalInt plane,
            List<Wire> wiring,
            SortedSet<String> reserved,
            boolean drained) {
        this(name, device, kind, plane, wiring, reserved, drained, Domains.NONE);
    }

    public OcsSwitch {
        wiring = List.copyOf(wiring);
        reserved = Collections.unmodifiableSortedSet(new TreeSet<>(reserved));
    }

    /** Whether it is known where its fibres lead. */
    public boolean isWired() {
        return !wiring.isEmpty();
    }

    /** The first wire at a port. */
    public Optional<Wire> wireAt(String port) {
        return wiring.stream()
                .filter(wire -> wire.ingress().equals(port) || wire.egress().equals(port))
                .findFirst();
    }

    /** Whether a device shows a circuit; any-to-any devices may report it from either end. */
    public boolean shows(DeviceState state, Circuit circuit) {
        return state.circuits().contains(circuit)
                || (kind == DeviceKind.ANY_TO_ANY && state.circuits().contains(circuit.turned()));
    }

    /**
     * What a switch shares with others, so that one failure takes all of them. A kind of which nothing is said is
     * shared with nobody.
     *
     * @param power feed
     * @param control network or controller
     * @param rack where it stands
     */
    public record Domains(Optional<String> power, Optional<String> control, Optional<String> rack) {
        /** Of a switch of which nothing is said. */
        public static final Domains NONE = new Domains(Optional.empty(), Optional.empty(), Optional.empty());

        /** Whether both are said to be in a domain of one kind, and not in the same. */
        public boolean differ(Domains other) {
            return differ(power, other.power) || differ(control, other.control) || differ(rack, other.rack);
        }

        private static boolean differ(Optional<String> one, Optional<String> other) {
            return one.isPresent() && other.isPresent() && !one.equals(other);
        }
    }

    /**
     * One port of a pod.
     *
     * @param ingress where light of the pod enters the switch
     * @param egress where light leaves for the pod; on an any-to-any device the same port
     * @param index which of the ports of the pod on this switch
     */
    public record Wire(String ingress, String egress, String pod, int index) {}
}
