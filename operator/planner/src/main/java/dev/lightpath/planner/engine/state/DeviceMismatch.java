package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.RingIntent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a fabric's description asks of devices that they, as their drivers list them, do not have. */
public final class DeviceMismatch {
    /** Reason of the fault of a device that is not there as described. */
    static final String PORT_MISSING = "PortMissing";

    private static final int MOST_NAMED = 8;
    /** Numbers by value, where all ports have numbers. */
    private static final Comparator<String> BY_NUMBER =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private DeviceMismatch() {}

    /**
     * Why nodes cannot play their part on a ring, by name: every bundle of the ring's reach can loop back and take both
     * paths. Nodes whose device is silent or whose inventory is not read are not judged. O(nodes), and O(reach) for
     * each kind of device.
     *
     * @param positions who sits on it
     */
    static SortedMap<String, String> lacking(RingIntent ring, DriverState driver, RingPositions positions) {
        SortedMap<String, String> lacking = new TreeMap<>();
        if (!driver.synced()) {
            return lacking;
        }
        Map<Inventory, Optional<String>> judged = new IdentityHashMap<>();
        positions.forEach(there -> {
            DeviceState device = there.device();
            if (device != null && device.present()) {
                String node = there.node().name();
                device.inventory()
                        .flatMap(listed -> judged.computeIfAbsent(
                                listed, each -> lack(each, ring.ring().reach())))
                        .ifPresent(why ->
                                lacking.put(node, "device " + node + " of driver " + ring.driver() + ": " + why));
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

    /**
     * Where no light may enter or leave a switch though it is wired so, with the reason; what the port is good for it
     * may be used for. Linear in wires.
     */
    static Map<OcsHealth.FailedPort, String> unfit(OcsSwitch of, DeviceState device) {
        Map<OcsHealth.FailedPort, String> unfit = new LinkedHashMap<>();
        device.inventory().filter(listed -> device.present()).ifPresent(listed -> {
            for (OcsSwitch.Wire wire : of.wiring()) {
                String wired = "; pod " + wire.pod() + " is wired to it";
                listed.refusesIngress(wire.ingress())
                        .ifPresent(why -> unfit.putIfAbsent(
                                new OcsHealth.FailedPort(of.name(), PortUse.Side.INGRESS, wire.ingress()),
                                why + wired));
                listed.refusesEgress(wire.egress())
                        .ifPresent(why -> unfit.putIfAbsent(
                                new OcsHealth.FailedPort(of.name(), PortUse.Side.EGRESS, wire.egress()), why + wired));
            }
        });
        return unfit;
    }

    /** Why ports that a switch is wired by, or keeps as spares, cannot be used, by port. Linear in wires. */
    public static SortedMap<String, String> lacking(OcsSwitch of, DeviceState device) {
        SortedMap<String, String> lacking = new TreeMap<>(BY_NUMBER);
        unfit(of, device).forEach((port, why) -> lacking.putIfAbsent(port.port(), why));
        device.inventory()
                .filter(listed -> device.present())
                .ifPresent(listed -> of.reserved().stream()
                        .filter(port -> !listed.ports().containsKey(port))
                        .forEach(port -> listed.refusesIngress(port)
                                .ifPresent(why -> lacking.putIfAbsent(port, why + "; spec.reservedPorts names it"))));
        return lacking;
    }

    /**
     * The same of several switches in few words: those that lack the same are told of together, and of the ports of a
     * switch the first is told of in full.
     *
     * @param lacking as {@link #lacking(OcsSwitch, DeviceState)} says, by switch
     */
    public static List<String> told(Collection<OcsSwitch> switches, Map<String, SortedMap<String, String>> lacking) {
        Map<String, List<OcsSwitch>> alike = new LinkedHashMap<>();
        for (OcsSwitch of : switches) {
            SortedMap<String, String> ports = lacking.getOrDefault(of.name(), Collections.emptySortedMap());
            if (!ports.isEmpty()) {
                alike.computeIfAbsent(told(ports), lack -> new ArrayList<>()).add(of);
            }
        }
        List<String> told = new ArrayList<>();
        alike.forEach((lack, who) -> told.add((who.size() == 1
                        ? "switch " + who.getFirst().name() + " (device "
                                + who.getFirst().device() + ")"
                        : "switches "
                                + String.join(
                                        ", ",
                                        named(who.stream().map(OcsSwitch::name).toList())))
                + ": " + lack));
        return named(told);
    }

    private static String told(SortedMap<String, String> ports) {
        String first = Objects.requireNonNull(ports.get(ports.firstKey()));
        List<String> others = ports.keySet().stream().skip(1).toList();
        return others.isEmpty()
                ? first
                : first + "; likewise " + others.size() + " more: " + String.join(", ", named(others));
    }

    /** The first few of what is lacking, for people. */
    public static List<String> named(List<String> flaws) {
        return Words.some(MOST_NAMED, flaws);
    }
}
