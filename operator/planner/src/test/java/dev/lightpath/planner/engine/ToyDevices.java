package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the devices of a {@link ToyOcs} show of it: its switches, and the receivers at the far ends of their fibres. */
public record ToyDevices(ToyOcs toy) {
    /** @param operation that is open on it */
    DeviceState ofSwitch(OcsSwitch of, Optional<String> operation) {
        return new DeviceState(
                toy.silent.contains(of.name())
                        ? DeviceState.Presence.SILENT
                        : toy.foreign.contains(of.name()) ? DeviceState.Presence.FOREIGN : DeviceState.Presence.PRESENT,
                new CrossConnects(toy.lit.get(of.name())),
                toy.moving.getOrDefault(of.name(), Collections.emptySortedSet()),
                toy.lit.get(of.name()).toString(),
                toy.measuring ? entering(of) : new TreeMap<>(),
                toy.failedPorts.getOrDefault(of.name(), Collections.emptySortedMap()),
                operation,
                toy.inventories.getOrDefault(of.name(), Optional.of(toy.hinted ? hinted(of) : asWired(of))),
                CrossConnects.none(),
                toy.measuringLoss ? losses(of) : toy.losses.getOrDefault(of.name(), Collections.emptySortedMap()),
                toy.factoryLosses.getOrDefault(of.name(), Collections.emptySortedMap()),
                Optional.ofNullable(toy.silences.get(of.name())));
    }

    /** What lit circuits lose between the connectors of a switch. */
    private SortedMap<String, Double> losses(OcsSwitch of) {
        SortedMap<String, Double> losses = new TreeMap<>();
        toy.lit
                .get(of.name())
                .forEach(circuit ->
                        losses.put(circuit.egress(), 1.5 + dirt(of, circuit.ingress()) + dirt(of, circuit.egress())));
        return losses;
    }

    private SortedMap<String, PortLight> entering(OcsSwitch of) {
        SortedMap<String, PortLight> light = new TreeMap<>();
        for (OcsSwitch.Wire wire : of.wiring()) {
            if (!toy.cut.contains(of.name() + "/" + wire.ingress()) && !toy.silentPods.contains(wire.pod())) {
                light.put(
                        wire.ingress(),
                        new PortLight(
                                PortLight.Lock.NONE,
                                Optional.empty(),
                                OptionalDouble.of(0.5 - dirt(of, wire.ingress())),
                                OptionalDouble.empty()));
            } else if (toy.tellingDark) {
                light.put(
                        wire.ingress(),
                        new PortLight(
                                PortLight.Lock.NO_LIGHT,
                                Optional.empty(),
                                OptionalDouble.of(-40),
                                OptionalDouble.empty()));
            }
        }
        return light;
    }

    static Inventory hinted(OcsSwitch of) {
        Inventory listed = asWired(of);
        SortedMap<String, FarEnd> peers = new TreeMap<>();
        of.wiring().forEach(wire -> {
            peers.put(wire.ingress(), new FarEnd(wire.pod(), of.name() + "/" + wire.index()));
            peers.put(wire.egress(), new FarEnd(wire.pod(), of.name() + "/" + wire.index()));
        });
        return new Inventory(listed.make(), listed.ports(), listed.paths(), peers);
    }

    /** A device that has every port its switch is wired by, and no other. */
    public static Inventory asWired(OcsSwitch of) {
        boolean anyToAny = of.kind() == DeviceKind.ANY_TO_ANY;
        SortedMap<String, Inventory.Side> ports = new TreeMap<>();
        of.reserved().forEach(port -> ports.put(port, Inventory.Side.BOTH));
        of.wiring().forEach(wire -> {
            ports.put(wire.ingress(), anyToAny ? Inventory.Side.BOTH : Inventory.Side.INGRESS);
            ports.put(wire.egress(), anyToAny ? Inventory.Side.BOTH : Inventory.Side.EGRESS);
        });
        return new Inventory(Inventory.Make.unnamed(), ports, new TreeMap<>());
    }

    /** One receiver for each wire, named by switch and index. */
    DeviceState farEnd(String pod) {
        SortedMap<String, PortLight> light = new TreeMap<>();
        for (OcsSwitch of : toy.switches.values()) {
            for (OcsSwitch.Wire wire : of.wiring()) {
                if (wire.pod().equals(pod)) {
                    light.put(of.name() + "/" + wire.index(), received(of, wire));
                }
            }
        }
        return new DeviceState(
                toy.silentPods.contains(pod) || toy.mutePods.contains(pod)
                        ? DeviceState.Presence.SILENT
                        : DeviceState.Presence.PRESENT,
                CrossConnects.none(),
                new TreeSet<>(),
                "",
                light,
                toy.failedFarPorts.getOrDefault(pod, Collections.emptySortedMap()),
                Optional.empty(),
                Optional.empty());
    }

    private PortLight received(OcsSwitch of, OcsSwitch.Wire wire) {
        if (toy.dark.contains(of.name())) {
            return PortLight.dark();
        }
        for (Circuit circuit : toy.lit.get(of.name())) {
            String from = circuit.egress().equals(wire.egress())
                    ? circuit.ingress()
                    : of.kind() == DeviceKind.ANY_TO_ANY && circuit.ingress().equals(wire.ingress())
                            ? circuit.egress()
                            : "";
            if (from.isEmpty()
                    || darkens(of.name(), circuit.ingress())
                    || darkens(of.name(), circuit.egress())
                    || toy.cut.contains(of.name() + "/" + from)
                    || toy.cut.contains(of.name() + "/" + wire.egress())) {
                continue;
            }
            Optional<FarEnd> speaker = of.wiring().stream()
                    .filter(other -> other.ingress().equals(from))
                    .map(other -> new FarEnd(other.pod(), of.name() + "/" + other.index()))
                    .findFirst();
            if (speaker.isPresent() && !toy.silentPods.contains(speaker.get().device())) {
                return new PortLight(
                        PortLight.Lock.UP,
                        speaker,
                        OptionalDouble.of(-2 - dirt(of, from) - dirt(of, wire.egress())),
                        OptionalDouble.empty());
            }
        }
        return PortLight.dark();
    }

    private double dirt(OcsSwitch of, String port) {
        return toy.dirt.getOrDefault(of.name() + "/" + port, 0.0);
    }

    /** An element that does not move carries its light on. */
    private boolean darkens(String name, String port) {
        String reason =
                toy.failedPorts.getOrDefault(name, Collections.emptySortedMap()).get(port);
        return reason != null && !reason.equals(DeviceState.STUCK);
    }
}
