package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Names of the ports of a node's transceivers: bundle b has {@code bB.common}, {@code bB.loop}, {@code bB.path1} and
 * {@code bB.path2} (driver contract, device model). The one place that spells them.
 */
public final class TransceiverPorts {
    /** All there are: they are named for every node in every pass. */
    private static final Map<BundlePath, Circuit> CIRCUITS = circuits();

    private static final Map<String, Optional<BundlePath>> PATHS = paths();

    private static final List<CrossConnects> LOOPBACKS = IntStream.rangeClosed(0, RingFabric.GREATEST_REACH)
            .mapToObj(bundles -> circuits(Collections.nCopies(bundles, BundleState.LOOPBACK)))
            .toList();

    private TransceiverPorts() {}

    private static Map<BundlePath, Circuit> circuits() {
        Map<BundlePath, Circuit> circuits = new HashMap<>();
        for (int bundle = 0; bundle < RingFabric.GREATEST_REACH; bundle++) {
            for (BundleState state : BundleState.values()) {
                String egress = "b" + bundle
                        + switch (state) {
                            case LOOPBACK -> ".loop";
                            case PATH_1 -> ".path1";
                            case PATH_2 -> ".path2";
                        };
                circuits.put(new BundlePath(bundle, state), new Circuit(common(bundle), egress));
            }
        }
        return circuits;
    }

    private static Map<String, Optional<BundlePath>> paths() {
        Map<String, Optional<BundlePath>> paths = new HashMap<>();
        CIRCUITS.forEach((path, circuit) -> paths.put(circuit.egress(), Optional.of(path)));
        return paths;
    }

    public static String common(int bundle) {
        return "b" + bundle + ".common";
    }

    public static String port(BundlePath path) {
        return circuit(path).egress();
    }

    public static Circuit circuit(BundlePath path) {
        return Objects.requireNonNull(CIRCUITS.get(path));
    }

    /** The circuits of a node whose bundles are in these states. */
    public static CrossConnects circuits(List<BundleState> states) {
        List<Circuit> circuits = new ArrayList<>();
        for (int bundle = 0; bundle < states.size(); bundle++) {
            circuits.add(circuit(new BundlePath(bundle, states.get(bundle))));
        }
        return new CrossConnects(circuits);
    }

    /** The circuits of a node at rest. */
    public static CrossConnects loopbacks(int bundles) {
        return LOOPBACKS.get(bundles);
    }

    /** The path an egress port belongs to; empty for a common port or a name of another kind. */
    public static Optional<BundlePath> path(String port) {
        return PATHS.getOrDefault(port, Optional.empty());
    }

    /** Whether an egress port leads to another node. */
    public static boolean leadsOut(String egress) {
        return path(egress).filter(path -> path.state() != BundleState.LOOPBACK).isPresent();
    }

    /** The paths that a failure of this port takes away: one, or all of its bundle when the common side failed. */
    public static List<BundlePath> lostWith(String port) {
        Optional<BundlePath> path = path(port);
        if (path.isPresent()) {
            return List.of(path.get());
        }
        return bundle(port)
                .map(bundle -> List.of(
                        new BundlePath(bundle, BundleState.LOOPBACK),
                        new BundlePath(bundle, BundleState.PATH_1),
                        new BundlePath(bundle, BundleState.PATH_2)))
                .orElse(List.of());
    }

    private static Optional<Integer> bundle(String port) {
        int dot = port.indexOf('.');
        int end = dot < 0 ? port.length() : dot;
        if (end != 2 || port.charAt(0) != 'b' || port.charAt(1) < '0' || port.charAt(1) > '7') {
            return Optional.empty();
        }
        return Optional.of(port.charAt(1) - '0');
    }
}
