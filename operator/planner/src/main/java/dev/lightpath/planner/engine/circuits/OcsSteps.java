package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.probing.Probing;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The steps from the light that a fabric of switches shows to the light that its records ask for. Each lights or
 * darkens one circuit.
 *
 * @param removesForeign whether foreign circuits are taken down
 */
record OcsSteps(OcsState state, OcsRecords records, ShownLight light, Probing probing, boolean removesForeign) {
    /** What circuits of a slice that are as good as each other have in common. */
    private record Joined(SliceId slice, OcsWiring.Ends ends) {}

    /**
     * What says of itself that it does not move is not asked to, and of no device what it cannot make (ADR 29).
     *
     * @param takesChange whether a device takes a change now
     * @param freeze what keeps probes from being made, while somebody asks where fibres lead
     */
    List<Due> due(BiPredicate<DeviceId, DeviceState> takesChange, ChangeFreeze freeze) {
        SortedMap<String, SortedSet<Circuit>> wanted = state.recorded().circuits();
        List<Due> due = new ArrayList<>();
        Map<String, Set<Circuit>> makingWay = new HashMap<>();
        Set<Joined> failing = failing(wanted);
        for (OcsSwitch of : state.intent().switches().values()) {
            DeviceState device = state.device(of).orElse(null);
            if (device != null && takesChange.test(of.device(), device)) {
                SortedSet<Circuit> wantedThere = wanted.getOrDefault(of.name(), Collections.emptySortedSet());
                makingWay.put(of.name(), due(of, device, wantedThere, failing, due));
            }
        }
        due.addAll(probing.due(List.copyOf(due), makingWay, takenPorts(), freeze));
        return due;
    }

    /**
     * What running jobs wait for in vain: their circuits on switches that failed again and again. The light that these
     * are to replace stays lit, because the disruption budget does not count them, unless another circuit needs its
     * ports. What a fault of its own keeps dark keeps nothing lit.
     */
    private Set<Joined> failing(SortedMap<String, SortedSet<Circuit>> wanted) {
        Set<Joined> failing = new HashSet<>();
        wanted.forEach((name, circuits) -> {
            OcsSwitch of = state.intent().switches().get(name);
            if (of == null || !state.world().failsAgain(of.device())) {
                return;
            }
            DeviceState device = state.device(of).orElse(null);
            for (Circuit circuit : circuits) {
                boolean waits = device == null
                        || !of.shows(device, circuit)
                                && !device.failed(circuit)
                                && device.refusal(circuit).isEmpty();
                if (waits) {
                    joined(records.owner(new SwitchCircuit(name, circuit)), name, circuit)
                            .ifPresent(failing::add);
                }
            }
        });
        return failing;
    }

    private Optional<Joined> joined(@Nullable SliceState slice, String name, Circuit circuit) {
        return slice == null || !slice.usesLight()
                ? Optional.empty()
                : state.wiring().joined(name, circuit).map(ends -> new Joined(slice.id(), ends));
    }

    /** Ports that somebody uses or may use, by switch: not those of probes alone. */
    private Map<String, Set<String>> takenPorts() {
        if (state.intent().discovery().isEmpty()) {
            return Map.of();
        }
        Map<String, Set<String>> taken = records.takenPorts();
        for (OcsSwitch of : state.intent().switches().values()) {
            Set<String> ports = taken.computeIfAbsent(of.name(), name -> new HashSet<>());
            state.device(of).ifPresent(device -> {
                device.circuits().circuits().stream()
                        .filter(circuit -> !probing.isProbe(of.name(), circuit))
                        .forEach(circuit -> ports.addAll(List.of(circuit.ingress(), circuit.egress())));
                ports.addAll(device.moving());
            });
        }
        return taken;
    }

    /** Returns the lit circuits that make way. */
    private Set<Circuit> due(
            OcsSwitch of, DeviceState device, SortedSet<Circuit> wanted, Set<Joined> failing, List<Due> due) {
        Lazy<Map<PortUse, Circuit>> lit = new Lazy<>(() -> lit(of, device));
        Set<Circuit> blockers = new HashSet<>();
        List<Due> making = new ArrayList<>();
        for (Circuit circuit : wanted) {
            if (of.shows(device, circuit) || !canBeMade(device, circuit)) {
                continue;
            }
            SortedSet<Circuit> inTheWay = new TreeSet<>();
            state.wiring().uses(of.name(), circuit).forEach(use -> {
                Circuit other = lit.get().get(use);
                if (other != null) {
                    inTheWay.add(other);
                }
            });
            if (device.refusal(circuit).isPresent()) {
                // what cannot be made is not asked for, and no placed slice's light makes way for it
                inTheWay.stream()
                        .filter(other -> causeOfDarkness(of, other) == Cause.REPAIR)
                        .forEach(blockers::add);
            } else if (inTheWay.stream().allMatch(other -> makesWay(of, device, other))) {
                blockers.addAll(inTheWay);
                SliceState slice = records.owner(new SwitchCircuit(of.name(), circuit));
                boolean first = slice != null
                        && slice.recorded().map(Allocation::revision).orElse(1L) == 1;
                making.add(step(of, device, inTheWay, List.of(circuit), first ? Cause.PLACE : Cause.REPAIR, slice));
            }
        }
        // a device that failed again and again may take down and make nothing: light in use waits for the rest
        if (state.world().failsAgain(of.device()) && !making.stream().allMatch(Due::underPods)) {
            making.removeIf(Due::underPods);
        }
        due.addAll(making);
        for (Circuit circuit : device.circuits().circuits()) {
            if (!blockers.contains(circuit)
                    && mayGo(of, device, circuit)
                    && !device.moving().contains(circuit.ingress())
                    && !isKept(of, circuit, failing)) {
                due.add(step(
                        of,
                        device,
                        List.of(circuit),
                        List.of(),
                        causeOfDarkness(of, circuit),
                        records.leaver(spot(of, circuit))));
            }
        }
        return blockers;
    }

    private Map<PortUse, Circuit> lit(OcsSwitch of, DeviceState device) {
        Map<PortUse, Circuit> lit = new HashMap<>();
        device.circuits()
                .circuits()
                .forEach(circuit -> state.wiring()
                        .uses(of.name(), state.wiring().canonical(of.name(), circuit))
                        .forEach(use -> lit.put(use, circuit)));
        return lit;
    }

    private boolean isKept(OcsSwitch of, Circuit circuit, Set<Joined> failing) {
        SwitchCircuit spot = spot(of, circuit);
        return joined(records.leaver(spot), of.name(), spot.circuit())
                .filter(failing::contains)
                .isPresent();
    }

    /** Whether a lit circuit goes for one that a record asks for. A probe always does. */
    private boolean makesWay(OcsSwitch of, DeviceState device, Circuit circuit) {
        return mayGo(of, device, circuit) || probing.isProbe(of.name(), circuit) && !device.stuck(circuit);
    }

    private Due step(
            OcsSwitch of,
            DeviceState device,
            Iterable<Circuit> down,
            List<Circuit> up,
            Cause cause,
            @Nullable SliceState slice) {
        SortedSet<Circuit> disconnects = new TreeSet<>();
        down.forEach(disconnects::add);
        boolean underPods = disconnects.stream().anyMatch(circuit -> mayBeUsed(of, circuit));
        return new Due(
                new DeviceChange(of.device(), device.digest(), disconnects, new TreeSet<>(up)),
                cause,
                Optional.ofNullable(slice).map(SliceState::id),
                underPods,
                false);
    }

    private boolean mayBeUsed(OcsSwitch of, Circuit circuit) {
        SliceState slice = records.leaver(spot(of, circuit));
        return slice != null && slice.usesLight();
    }

    private Cause causeOfDarkness(OcsSwitch of, Circuit circuit) {
        SliceState slice = records.leaver(spot(of, circuit));
        if (slice == null) {
            return Cause.CORRECT;
        }
        return slice.placed() ? Cause.REPAIR : Cause.RELEASE;
    }

    /** Whether a lit circuit is no slice's and ours to take down, and can be. */
    private boolean mayGo(OcsSwitch of, DeviceState device, Circuit circuit) {
        SwitchCircuit spot = spot(of, circuit);
        if (records.isOwned(spot) || device.stuck(circuit)) {
            return false;
        }
        return records.isLeft(spot)
                || records.leftBehind(spot)
                || (removesForeign && light.foreign().on(of.name()).contains(spot.circuit()));
    }

    private SwitchCircuit spot(OcsSwitch of, Circuit reported) {
        return records.spot(of.name(), reported);
    }

    private static boolean canBeMade(DeviceState device, Circuit circuit) {
        return !device.failed(circuit) && !device.moves(circuit);
    }
}
