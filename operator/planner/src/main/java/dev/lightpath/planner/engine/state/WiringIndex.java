package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.WiringCheck;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What follows from a fabric's description and the inventories of its switches alone: the same in every pass until one
 * of them changes, so it travels from pass to pass.
 *
 * @param findings what contradicts itself in the wiring
 * @param ports that switches are said to have, by switch
 * @param equipment by switch, for those that tell what they consist of
 */
public record WiringIndex(
        OcsIntent intent,
        OcsWiring wiring,
        List<String> findings,
        Map<String, Set<String>> ports,
        SortedMap<String, Equipped> equipment) {
    /** That of the pass before. */
    static final Slot<WiringIndex> SLOT = new Slot<>("wiring index");

    /**
     * A switch whose inventory is known.
     *
     * @param lacking ports that it is wired by and does not have, with the reason
     * @param unfit where no light may enter or leave it though it is wired so
     */
    record Equipped(Inventory inventory, SortedMap<String, String> lacking, Set<OcsHealth.FailedPort> unfit) {
        private static Equipped of(OcsSwitch of, DeviceState device, Inventory inventory) {
            return new Equipped(
                    inventory,
                    Collections.unmodifiableSortedMap(DeviceMismatch.lacking(of, device)),
                    DeviceMismatch.unfit(of, device).keySet());
        }
    }

    public WiringIndex {
        equipment = Collections.unmodifiableSortedMap(new TreeMap<>(equipment));
    }

    /**
     * Linear in switches where nothing has changed, else in wires.
     *
     * @param before of the pass before
     */
    static WiringIndex of(World world, OcsIntent intent, Optional<WiringIndex> before) {
        WiringIndex known = before.filter(of -> of.intent().equals(intent)).orElseGet(() -> {
            OcsWiring wiring = OcsWiring.of(intent);
            return new WiringIndex(intent, wiring, WiringCheck.findings(wiring), ports(intent), new TreeMap<>());
        });
        SortedMap<String, Equipped> equipment = new TreeMap<>();
        for (OcsSwitch of : intent.switches().values()) {
            DeviceState device = world.device(of.device()).orElse(null);
            Inventory inventory = device == null || !device.present()
                    ? null
                    : device.inventory().orElse(null);
            if (device != null && inventory != null) {
                Equipped same = known.equipment().get(of.name());
                equipment.put(
                        of.name(),
                        same != null && same.inventory().equals(inventory) ? same : Equipped.of(of, device, inventory));
            }
        }
        return new WiringIndex(known.intent(), known.wiring(), known.findings(), known.ports(), equipment);
    }

    /** The wiring of any fabric of a world: that of its last pass, as long as its description is the same. */
    public static OcsWiring wiring(World world, OcsIntent intent) {
        return new PassMemory(world.cacheOf(intent.name()))
                .before(SLOT)
                .filter(of -> of.intent().equals(intent))
                .map(WiringIndex::wiring)
                .orElseGet(() -> OcsWiring.of(intent));
    }

    private static Map<String, Set<String>> ports(OcsIntent intent) {
        Map<String, Set<String>> ports = new HashMap<>();
        for (OcsSwitch of : intent.switches().values()) {
            Set<String> all = new HashSet<>(of.reserved());
            of.wiring().forEach(wire -> {
                all.add(wire.ingress());
                all.add(wire.egress());
            });
            ports.put(of.name(), Set.copyOf(all));
        }
        return Map.copyOf(ports);
    }

    /** Where no light may enter or leave a switch though it is wired so. */
    List<OcsHealth.FailedPort> unfit() {
        return equipment.values().stream().flatMap(of -> of.unfit().stream()).toList();
    }

    /** Ports that a switch is said to have. */
    public Set<String> ports(String opticalSwitch) {
        return ports.getOrDefault(opticalSwitch, Set.of());
    }
}
