package dev.lightpath.planner.engine.degrading;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.health.OpticalHealth;
import dev.lightpath.planner.health.Place;
import dev.lightpath.planner.health.Reading;
import dev.lightpath.planner.health.Watched;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.memory.Derived;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the ports of a fabric receive. The light that enters a switch comes by one fibre, whatever its circuits are;
 * what a receiver gets has passed the circuit of the moment, so it counts with its sender.
 */
public final class LightWatch {
    private static final Slot<Derived<Object>> TOLD = new Slot<>("light told");

    private static final String FAR_ENDS = "far ends";
    private static final String TRANSCEIVERS = "transceivers";

    private LightWatch() {}

    /** Stands for all that {@link #of(World, OcsIntent, Function, Set)} says. O(drivers). */
    public static Object stamp(World world, OcsIntent intent, PassMemory memory) {
        List<Object> told = new ArrayList<>(List.of(intent));
        intent.drivers().forEach(driver -> told.add(world.driver(driver)));
        return memory.derived(TOLD, told, List.of(), Object::new);
    }

    /**
     * Ports of one switch are peers, and so are the far ends of all pods, those first whose light passes the same
     * switch. O(pods and wires).
     *
     * @param farEnds the device of a pod, if a driver tells of one
     * @param cleared switches that a person declared healthy: what their factory measured does not count any more
     */
    public static Map<String, Watched> of(
            World world, OcsIntent intent, Function<String, Optional<DeviceState>> farEnds, Set<String> cleared) {
        Map<String, Watched> watched = new HashMap<>();
        Map<FarEnd, String> passed = passed(world, intent);
        intent.pods()
                .forEach(pod -> watched.put(
                        pod.name(),
                        watched(
                                farEnds.apply(pod.name()).orElse(null),
                                FAR_ENDS,
                                port -> true,
                                port -> Optional.ofNullable(passed.get(new FarEnd(pod.name(), port))),
                                false)));
        intent.switches().values().forEach(of -> {
            boolean synced = world.driver(of.device().driver()).synced();
            watched.put(
                    of.name(),
                    watched(
                            synced ? world.device(of.device()).orElse(null) : null,
                            "switch " + of.name(),
                            port -> true,
                            port -> Optional.of(of.name()),
                            cleared.contains(of.name())));
        });
        return watched;
    }

    /** By far end, the switch that says it leads there. */
    private static Map<FarEnd, String> passed(World world, OcsIntent intent) {
        Map<FarEnd, String> passed = new HashMap<>();
        intent.switches()
                .values()
                .forEach(of -> world.device(of.device())
                        .ifPresent(device -> device.peers().values().forEach(end -> passed.put(end, of.name()))));
        return passed;
    }

    /**
     * All transceivers of a ring are peers. Only paths of its bundles count, so that no node speaks for more than it
     * has. O(nodes).
     *
     * @param cleared nodes that a person declared healthy, likewise
     */
    public static Map<String, Watched> of(boolean synced, RingPositions positions, int reach, Set<String> cleared) {
        Map<String, Watched> watched = new HashMap<>();
        positions.forEach(there -> watched.put(
                there.node().name(),
                watched(
                        synced ? there.device() : null,
                        TRANSCEIVERS,
                        port -> leads(port, reach),
                        port -> Optional.empty(),
                        cleared.contains(there.node().name()))));
        return watched;
    }

    private static boolean leads(String port, int reach) {
        return TransceiverPorts.leadsOut(port)
                && TransceiverPorts.path(port)
                        .filter(path -> path.bundle() < reach)
                        .isPresent();
    }

    private static Watched watched(
            @Nullable DeviceState device,
            String peers,
            Predicate<String> counts,
            Function<String, Optional<String>> through,
            boolean cleared) {
        return device == null || !device.present()
                ? Watched.silent(peers)
                : new Watched(
                        device,
                        peers,
                        () -> {
                            SortedMap<String, Reading> readings = readings(device);
                            readings.keySet().removeIf(counts.negate());
                            if (cleared) {
                                readings.replaceAll((port, reading) -> reading.unpromised());
                            }
                            return readings;
                        },
                        port -> device.inventory()
                                .map(listed -> listed.ports().containsKey(port))
                                .orElse(true),
                        through);
    }

    private static SortedMap<String, Reading> readings(DeviceState device) {
        SortedMap<String, Reading> readings = new TreeMap<>();
        device.circuits().circuits().forEach(circuit -> {
            Double loss = device.lossDb().get(circuit.egress());
            if (loss != null && !device.moves(circuit)) {
                Double promised = device.factoryLossDb().get(circuit.egress());
                readings.put(
                        circuit.egress(),
                        new Reading(
                                circuit.toString(),
                                -loss,
                                OptionalDouble.empty(),
                                promised == null ? OptionalDouble.empty() : OptionalDouble.of(-promised),
                                Optional.of(circuit.ingress())));
            }
        });
        device.light().forEach((port, light) -> received(light).ifPresent(reading -> readings.put(port, reading)));
        return readings;
    }

    /** What is measured of light that arrives. */
    private static Optional<Reading> received(@Nullable PortLight light) {
        boolean arrives = light != null && (light.lock() == PortLight.Lock.UP || light.lock() == PortLight.Lock.NONE);
        return light == null || !arrives || light.receivedPowerDbm().isEmpty()
                ? Optional.empty()
                : Optional.of(new Reading(
                        light.heard().map(FarEnd::toString).orElse(""),
                        light.receivedPowerDbm().getAsDouble(),
                        light.bitErrorRatio()));
    }

    /** How much weaker the light is that a port receives now than it was at first, in dB; 0 where that is unknown. */
    public static double lossDb(OpticalHealth health, String name, DeviceState device, String port) {
        return received(device.light().get(port))
                .map(reading -> health.lossDb(new Place(name, port), reading))
                .orElse(0.0);
    }
}
