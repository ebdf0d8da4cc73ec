package dev.lightpath.planner.light;

import java.util.Collections;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A device as last read through its driver.
 *
 * @param presence whether the device answers its driver and the operator's role holds it
 * @param circuits read back from the hardware
 * @param moving ports in a circuit that is being made: dark on purpose, and not counted yet
 * @param digest names this state of the circuits, for compare-and-set
 * @param light per port; a port without an entry is not monitored
 * @param failedPorts ports that the device itself reports as failed or stuck, with its reason; the empty name is the
 *     device as a whole
 * @param operation the change that is under way on it or whose outcome is unknown
 * @param inventory what it consists of; empty until that is read, and until then it must not be changed
 * @param made those of the circuits that operations of this role made, as the driver says
 * @param lossDb what the circuit of a port loses, by port, where the device measures it
 * @param factoryLossDb what the factory measured of that circuit, where the device knows it
 * @param silence why it does not answer, in its driver's words
 */
public record DeviceState(
        Presence presence,
        CrossConnects circuits,
        SortedSet<String> moving,
        String digest,
        SortedMap<String, PortLight> light,
        SortedMap<String, String> failedPorts,
        Optional<String> operation,
        Optional<Inventory> inventory,
        CrossConnects made,
        SortedMap<String, Double> lossDb,
        SortedMap<String, Double> factoryLossDb,
        Optional<String> silence) {

    /** Reason of a port that receives too weak light. */
    public static final String LOW_POWER = "LowPower";

    /** Reason of a port that a person took out of service: what burns on it burns on. */
    public static final String OUT_OF_SERVICE = "OutOfService";

    /** Reason of a port whose element does not move: its circuit stays. */
    public static final String STUCK = "Stuck";

    /** Reason of a port that the driver lists twice or puts into two circuits: these are left out of the circuits. */
    public static final String REPORTED_TWICE = "ReportedTwice";

    /** Whether the operator may use a device. A silent device is a fault of that device; a silent driver is not. */
    public enum Presence {
        PRESENT,
        SILENT,
        /**
         * It answers, and another role holds it until an administrator transfers it: the operator must not use or
         * change it.
         */
        FOREIGN,
        /**
         * Its driver serves this device alone and is away: nothing is known of the device now, and all else holds what
         * was last known. It is neither healthy nor faulty, and is not to be changed.
         */
        AWAY
    }

    public DeviceState {
        moving = java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>(moving));
        light = java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>(light));
        failedPorts = java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>(failedPorts));
        lossDb = java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>(lossDb));
        factoryLossDb = java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>(factoryLossDb));
    }

    /** A device that measures no losses, without a circuit that this role is known to have made. */
    public DeviceState(
            Presence presence,
            CrossConnects circuits,
            SortedSet<String> moving,
            String digest,
            SortedMap<String, PortLight> light,
            SortedMap<String, String> failedPorts,
            Optional<String> operation,
            Optional<Inventory> inventory) {
        this(
                presence,
                circuits,
                moving,
                digest,
                light,
                failedPorts,
                operation,
                inventory,
                CrossConnects.none(),
                new java.util.TreeMap<>(),
                new java.util.TreeMap<>(),
                Optional.empty());
    }

    /** What the circuit of a port loses, if the device measures it and that is more than is allowed. */
    public OptionalDouble lossAbove(String port, double allowedDb) {
        Double loss = lossDb.get(port);
        return loss != null && loss > allowedDb ? OptionalDouble.of(loss) : OptionalDouble.empty();
    }

    public boolean present() {
        return presence == Presence.PRESENT;
    }

    /** Whether its circuits are those that it has now; of any other they are what was read last. */
    public boolean answers() {
        return switch (presence) {
            case PRESENT, FOREIGN -> true;
            case SILENT, AWAY -> false;
        };
    }

    /** Whether its own driver is away, so that nothing may be concluded of it. */
    public boolean away() {
        return presence == Presence.AWAY;
    }

    /** This device while its own driver is away. */
    public DeviceState goneAway() {
        return away()
                ? this
                : new DeviceState(
                        Presence.AWAY,
                        circuits,
                        moving,
                        digest,
                        light,
                        failedPorts,
                        operation,
                        inventory,
                        made,
                        lossDb,
                        factoryLossDb,
                        Optional.empty());
    }

    /** A sentence of a silent device. @param name its own */
    public String unanswered(String name) {
        return "device " + name + " does not answer its driver"
                + silence.map(why -> ": " + why).orElse(", whose log says why");
    }

    /** A device whose own driver was never reached. */
    public static DeviceState neverReached() {
        return new DeviceState(
                Presence.AWAY,
                CrossConnects.none(),
                new java.util.TreeSet<>(),
                "",
                new java.util.TreeMap<>(),
                new java.util.TreeMap<>(),
                Optional.empty(),
                Optional.empty());
    }

    /** Where fibres of its ports end, as its inventory says; of a port without a hint nothing. */
    public SortedMap<String, FarEnd> peers() {
        return inventory.map(Inventory::peers).orElseGet(Collections::emptySortedMap);
    }

    /** Whether the device reports a port of a circuit as failed. */
    public boolean failed(Circuit circuit) {
        return failedPorts.containsKey(circuit.ingress()) || failedPorts.containsKey(circuit.egress());
    }

    /** Whether a circuit may be left out of the circuits because the device reports a port of it in two. */
    public boolean reportedTwice(Circuit circuit) {
        return REPORTED_TWICE.equals(failedPorts.get(circuit.ingress()))
                || REPORTED_TWICE.equals(failedPorts.get(circuit.egress()));
    }

    /** Whether a port of a circuit is on the move. */
    public boolean moves(Circuit circuit) {
        return moving.contains(circuit.ingress()) || moving.contains(circuit.egress());
    }

    /** Why the device cannot make this circuit; empty when it can, or when its inventory is not known yet. */
    public Optional<String> refusal(Circuit circuit) {
        return inventory.flatMap(listed -> listed.refusal(circuit));
    }

    /** Whether the device reports an element of this circuit as stuck. Such a circuit is neither broken nor made. */
    public boolean stuck(Circuit circuit) {
        return STUCK.equals(failedPorts.get(circuit.ingress())) || STUCK.equals(failedPorts.get(circuit.egress()));
    }

    /** Whether the port that a circuit leads out of receives no light. */
    public boolean missesLight(Circuit circuit) {
        PortLight seen = light.get(circuit.egress());
        return seen != null && seen.lock() == PortLight.Lock.NO_LIGHT;
    }

    /** Whether the device reports nothing wrong: it answers, no port has failed, and every circuit receives light. */
    public boolean calm() {
        return present()
                && failedPorts.isEmpty()
                && circuits.circuits().stream().noneMatch(this::missesLight);
    }

    /** What the port receives; {@link PortLight#dark()} when it is not monitored. */
    public PortLight lightAt(String port) {
        return light.getOrDefault(port, PortLight.dark());
    }
}
