package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.RingIntent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a fabric's description asks of devices that they, as their drivers list them, do not have. */
public final class Equipment {
    /** Reason of the fault of a port or device that is not there as described. */
    static final String PORT_MISSING = "PortMissing";

    private static final int MOST_NAMED = 8;

    private Equipment() {}

    /**
     * Why nodes cannot play their part on a ring, by name: every bundle of the ring's reach can loop back and take both
     * paths. Nodes whose device is silent or whose inventory is not read are not judged. O(nodes), and O(reach) for each
     * kind of device.
     *
     * @param devices of the driver, by node
     */
    static SortedMap<String, String> lacking(RingIntent ring, DriverState driver, Map<String, DeviceState> devices) {
        SortedMap<String, String> lacking = new TreeMap<>();
        if (!driver.synced()) {
            return lacking;
        }
        Map<Inventory, Optional<String>> judged = new IdentityHashMap<>();
        ring.nodes().values().forEach(node -> {
            DeviceState device = devices.get(node.name());
            if (device != null && device.present()) {
                device.inventory()
                        .flatMap(listed -> judged.computeIfAbsent(
                                listed, each -> lack(each, ring.ring().reach())))
                        .ifPresent(why -> lacking.put(
                                node.name(), "device " + node.name() + " of driver " + ring.driver() + ": " + why));
            }
        });
        return lacking;
    }

    private static Optional<String> lack(Inventory listed, int reach) {
        for (BundleState state : BundleState.values()) {
            for (Circuit circuit :
                    TransceiverPorts.circuits(Collections.nCopies(reach, state)).circuits()) {
                Optional<String> refusal = listed.refusal(circuit);
                if (refusal.isPresent()) {
                    return Optional.of(refusal.get() + "; reach " + reach + " takes bundles b0 to b" + (reach - 1));
                }
            }
        }
        return Optional.empty();
    }

    /** Why ports that a switch is wired by cannot be used, by port. Linear in wires. */
    public static SortedMap<String, String> lacking(OcsSwitch of, DeviceState device) {
        SortedMap<String, String> lacking = new TreeMap<>();
        device.inventory().filter(listed -> device.present()).ifPresent(listed -> {
            String where = "switch " + of.name() + " (device " + of.device() + "): ";
            for (OcsSwitch.Wire wire : of.wiring()) {
                listed.refusesIngress(wire.ingress())
                        .ifPresent(why -> lacking.putIfAbsent(
                                wire.ingress(), where + why + "; pod " + wire.pod() + " is wired to it"));
                listed.refusesEgress(wire.egress())
                        .ifPresent(why -> lacking.putIfAbsent(
                                wire.egress(), where + why + "; pod " + wire.pod() + " is wired to it"));
            }
            for (String port : of.reserved()) {
                if (!listed.ports().containsKey(port)) {
                    listed.refusesIngress(port)
                            .ifPresent(why -> lacking.putIfAbsent(port, where + why + "; spec.reservedPorts names it"));
                }
            }
        });
        return lacking;
    }

    /** The first few of what is lacking, for people. */
    public static List<String> named(List<String> flaws) {
        if (flaws.size() <= MOST_NAMED) {
            return flaws;
        }
        List<String> some = new ArrayList<>(flaws.subList(0, MOST_NAMED));
        some.add("and " + (flaws.size() - MOST_NAMED) + " more");
        return some;
    }
}
