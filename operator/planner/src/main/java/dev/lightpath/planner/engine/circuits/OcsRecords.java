package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the records of one fabric of switches name, circuit by circuit: who is to have it, who gives it up, and which
 * ports slices that were released by force left behind.
 */
final class OcsRecords {
    private final OcsState state;
    private final BiPredicate<DeviceId, DeviceState> believed;
    private final Map<SwitchCircuit, SliceState> owners = new HashMap<>();
    private final Map<SwitchCircuit, SliceState> leavers = new HashMap<>();
    private final SortedSet<String> quarantined = new TreeSet<>();
    /** Ports of circuits that records name, but those of slices that are released by force, as switch/port. */
    private final Lazy<Set<String>> ports;

    /** @param believed whether what a device shows can be believed */
    OcsRecords(OcsState state, List<SliceState> slices, BiPredicate<DeviceId, DeviceState> believed) {
        this.state = state;
        this.believed = believed;
        this.ports = new Lazy<>(() -> unforced(slices));
        for (SliceState slice : slices) {
            slice.recorded().ifPresent(allocation -> {
                allocation.circuits().forEach((name, circuit) -> owners.put(new SwitchCircuit(name, circuit), slice));
                allocation.darkening().forEach((name, circuit) -> leavers.put(new SwitchCircuit(name, circuit), slice));
            });
        }
        quarantine(slices);
    }

    /**
     * Ports that slices released by force left behind, until they are read back dark but for what others record there
     * by now: ours to take down, and for no slice to use but these others (ADR 21).
     */
    private void quarantine(List<SliceState> slices) {
        Set<String> given = new HashSet<>();
        slices.stream()
                .filter(slice -> slice.intent().forced())
                .flatMap(slice -> slice.recorded().stream())
                .forEach(allocation -> {
                    addLabels(allocation.circuits(), given);
                    addLabels(allocation.darkening(), given);
                });
        SortedSet<String> all = new TreeSet<>(state.intent().quarantinedPorts());
        all.addAll(given);
        all.stream()
                .filter(port -> switchOf(port).isEmpty() ? given.contains(port) : !isDark(port))
                .forEach(quarantined::add);
    }

    /** What another slice only takes down there may be gone already, and the light that came after it burn on. */
    private static Set<String> unforced(List<SliceState> slices) {
        Set<String> ports = new HashSet<>();
        slices.stream().filter(slice -> !slice.intent().forced()).forEach(slice -> addLabels(slice.circuits(), ports));
        return ports;
    }

    private static void addLabels(SwitchedLight light, Set<String> ports) {
        light.forEach((name, circuit) -> ports.addAll(labels(name, circuit)));
    }

    private static List<String> labels(String name, Circuit circuit) {
        return List.of(name + "/" + circuit.ingress(), name + "/" + circuit.egress());
    }

    private Optional<OcsSwitch> switchOf(String label) {
        int end = label.indexOf('/');
        return end < 0
                ? Optional.empty()
                : Optional.ofNullable(state.intent().switches().get(label.substring(0, end)));
    }

    /** Whether no circuit without a record is at a port. */
    private boolean isDark(String label) {
        OcsSwitch of = switchOf(label).orElseThrow();
        String port = label.substring(label.indexOf('/') + 1);
        DeviceState device = state.device(of).orElse(null);
        return device != null
                && believed.test(of.device(), device)
                && !device.moving().contains(port)
                && device.circuits().circuits().stream()
                        .filter(circuit -> circuit.isAt(port))
                        .allMatch(circuit -> isOfUnforced(spot(of.name(), circuit)));
    }

    private boolean isOfUnforced(SwitchCircuit spot) {
        SliceState holder = owners.get(spot);
        return holder != null && !holder.intent().forced();
    }

    /** Whether no record names anything. */
    boolean isEmpty() {
        return owners.isEmpty() && leavers.isEmpty();
    }

    /** A circuit of a switch, as records write it. */
    SwitchCircuit spot(String name, Circuit reported) {
        return new SwitchCircuit(name, state.wiring().canonical(name, reported));
    }

    /** The slice that is to have a circuit; null without one. */
    @Nullable
    SliceState owner(SwitchCircuit spot) {
        return owners.get(spot);
    }

    /** The slice that gives a circuit up; null without one. */
    @Nullable
    SliceState leaver(SwitchCircuit spot) {
        return leavers.get(spot);
    }

    boolean isOwned(SwitchCircuit spot) {
        return owners.containsKey(spot);
    }

    boolean isLeft(SwitchCircuit spot) {
        return leavers.containsKey(spot);
    }

    /** Whether light without a record is of a slice that was released by force. */
    boolean leftBehind(SwitchCircuit spot) {
        return quarantined.containsAll(labels(spot.opticalSwitch(), spot.circuit()));
    }

    /** As switch/port. */
    SortedSet<String> quarantined() {
        return quarantined;
    }

    /** What quarantine takes from all slices: not what a record names. */
    Set<PortUse> quarantinedUses() {
        Set<PortUse> uses = new HashSet<>();
        for (String label : quarantined) {
            if (!ports.get().contains(label)) {
                String name = label.substring(0, label.indexOf('/'));
                String port = label.substring(label.indexOf('/') + 1);
                uses.addAll(state.wiring().uses(name, new Circuit(port, port)));
            }
        }
        return uses;
    }

    void forEachOwned(BiConsumer<SliceId, SwitchCircuit> owned) {
        owners.forEach((spot, owner) -> owned.accept(owner.id(), spot));
    }

    /** Ports of all circuits that records name, and those in quarantine, by switch. */
    Map<String, Set<String>> takenPorts() {
        Map<String, Set<String>> taken = new HashMap<>();
        Stream.of(owners.keySet(), leavers.keySet())
                .flatMap(Set::stream)
                .forEach(spot -> Collections.addAll(
                        taken.computeIfAbsent(spot.opticalSwitch(), name -> new HashSet<>()),
                        spot.circuit().ingress(),
                        spot.circuit().egress()));
        for (String label : quarantined) {
            int end = label.indexOf('/');
            taken.computeIfAbsent(label.substring(0, end), name -> new HashSet<>())
                    .add(label.substring(end + 1));
        }
        return taken;
    }
}
