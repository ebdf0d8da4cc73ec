package dev.lightpath.planner.light;

import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A device as last read through its driver.
 *
 * @param presence whether the device answers its driver and is ours
 * @param circuits read back from the hardware
 * @param moving ports in a circuit that is being made: dark, on purpose, and not yet countable
 * @param digest names this state of the circuits, for compare-and-set
 * @param light per port; a port without an entry is not monitored
 * @param failedPorts ports the device itself reports as failed or stuck, with its reason; under no name what concerns the device
 *     as a whole
 * @param operation the change that is under way on it or whose outcome is unknown
 * @param inventory what it consists of; empty until that is read: then nothing may be asked of it
 * @param made of the circuits, those that operations of ours made, as the driver says
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
        CrossConnects made) {

    /** Reason of a port that light enters too weakly. */
    public static final String LOW_POWER = "LowPower";

    /** Reason of a port whose element does not move: what it is connected to stays. */
    public static final String STUCK = "Stuck";

    /** Whether a device is there for us. A silent device is a fault of that device; a silent driver is not. */
    public enum Presence {
        PRESENT,
        SILENT,
        /** It answers, and another role holds it until an administrator transfers it: not ours to use or to change. */
        FOREIGN
    }

    public DeviceState {
        moving = java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>(moving));
        light = java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>(light));
        failedPorts = java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>(failedPorts));
    }

    /** A device of which no circuit is known to be made by us. */
    public DeviceState(
            Presence presence,
            CrossConnects circuits,
            SortedSet<String> moving,
            String digest,
            SortedMap<String, PortLight> light,
            SortedMap<String, String> failedPorts,
            Optional<String> operation,
            Optional<Inventory> inventory) {
        this(presence, circuits, moving, digest, light, failedPorts, operation, inventory, CrossConnects.none());
    }

    public boolean present() {
        return presence == Presence.PRESENT;
    }

    /** Why the device cannot make this circuit; empty when it can, or when nobody knows yet what it consists of. */
    public Optional<String> refusal(Circuit circuit) {
        return inventory.flatMap(listed -> listed.refusal(circuit));
    }

    /** Whether an element of this circuit does not move, as the device says: nobody breaks it or makes it. */
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
