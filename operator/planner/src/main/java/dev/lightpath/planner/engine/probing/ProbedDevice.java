package dev.lightpath.planner.engine.probing;

import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What a switch whose fibres are looked for tells by itself; it has told what it consists of. */
record ProbedDevice(DeviceState device) {
    /** Whether light goes both ways through any of its ports. */
    boolean anyToAny() {
        return device.inventory().orElseThrow().ports().values().stream()
                .allMatch(side -> side.enters() && side.leaves());
    }

    boolean shows(Circuit circuit) {
        return device.circuits().contains(circuit)
                || anyToAny() && device.circuits().contains(circuit.turned());
    }

    OptionalDouble entering(String port) {
        PortLight light = device.light().get(port);
        return light == null ? OptionalDouble.empty() : light.receivedPowerDbm();
    }

    /** Fibre ends that the device has and the status can name. */
    SortedSet<FibreEnd> ends() {
        SortedSet<FibreEnd> ends = new TreeSet<>();
        boolean anyToAny = anyToAny();
        device.inventory().orElseThrow().ports().forEach((port, side) -> {
            if (!FibreEnd.isTold(port)) {
                return;
            }
            if (anyToAny) {
                ends.add(FibreEnd.both(port));
            } else {
                if (side.enters()) {
                    ends.add(FibreEnd.ingress(port));
                }
                if (side.leaves()) {
                    ends.add(FibreEnd.egress(port));
                }
            }
        });
        return ends;
    }

    /**
     * Free ends at which the device itself measures that no light enters: no circuit can be heard from there. Where
     * light goes both ways such a port may still lead light out.
     */
    SortedMap<FibreEnd, Found> unlit(List<FibreEnd> free, Instant now) {
        SortedMap<FibreEnd, Found> unlit = new TreeMap<>();
        free.stream().filter(end -> end.side() == FibreEnd.Side.INGRESS).forEach(end -> {
            PortLight light = device.light().get(end.port());
            if (light != null && light.lock() == PortLight.Lock.NO_LIGHT) {
                unlit.put(end, Found.silent(Found.Evidence.DARK, light.receivedPowerDbm(), now));
            }
        });
        return unlit;
    }

    /**
     * What circuits of slices tell: they are heard just where the installation says that their fibres end.
     *
     * @param held whether a record names a circuit
     */
    SortedMap<FibreEnd, Found> inUse(Predicate<Circuit> held, Voices voices, Instant now) {
        SortedMap<FibreEnd, Found> told = new TreeMap<>();
        SortedMap<String, FarEnd> peers = device.peers();
        boolean anyToAny = anyToAny();
        for (Circuit circuit : device.circuits().circuits()) {
            FarEnd from = peers.get(circuit.ingress());
            FarEnd to = peers.get(circuit.egress());
            if (from == null || to == null || !held.test(circuit)) {
                continue;
            }
            boolean heard = from.equals(voices.speakers().get(to))
                    && (!anyToAny || to.equals(voices.speakers().get(from)));
            if (heard) {
                told.put(
                        anyToAny ? FibreEnd.both(circuit.ingress()) : FibreEnd.ingress(circuit.ingress()),
                        Found.inUse(from, anyToAny ? voices.power(from) : entering(circuit.ingress()), now));
                told.put(
                        anyToAny ? FibreEnd.both(circuit.egress()) : FibreEnd.egress(circuit.egress()),
                        Found.inUse(to, voices.power(to), now));
            }
        }
        return told;
    }
}
