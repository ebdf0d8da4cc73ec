package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsSwitch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The circuit breaker: when a share of the nodes fails within a window, what failed is more likely the messenger. Stands
 * until those faults clear or a person resumes (spec: faults, 2).
 */
final class MassFailure {
    private MassFailure() {}

    /** O(faults log faults). Trouble found at the first look began at a time nobody knows and is not counted. */
    static boolean standing(RingScene scene) {
        Map<String, Instant> since = new TreeMap<>();
        for (Fault fault : scene.book().faults()) {
            String node = switch (fault.subject()) {
                case Subject.OfNode of -> of.node();
                case Subject.OfDevice of -> of.device();
                case Subject.OfPort port -> "";
            };
            if (!node.isEmpty()
                    && !scene.book().isNew(fault.subject())
                    && fault.since().isAfter(scene.book().openedAt())) {
                since.merge(node, fault.since(), (a, b) -> a.isBefore(b) ? a : b);
            }
        }
        return crowded(
                since.values().stream().map(onset -> new Onset(onset, 1)).toList(),
                resumed(scene.intent().resumedAt(), scene.world().now()),
                scene.intent().policy(),
                scene.intent().nodes().size());
    }

    /**
     * Of wires between pods and switches: a switch that fails takes its wires with it, and a wire has failed once, whether at one end
     * or at both. O(switches + faults * (wires of a switch + log faults)).
     */
    static boolean standing(OcsScene scene) {
        List<Onset> onsets = new ArrayList<>();
        int whole = 0;
        for (OcsSwitch of : scene.intent().switches().values()) {
            whole += of.wiring().size();
        }
        Map<Wired, Instant> broken = new HashMap<>();
        for (Fault fault : scene.book().faults()) {
            if (scene.book().isNew(fault.subject())
                    || !fault.since().isAfter(scene.book().openedAt())) {
                continue;
            }
            switch (fault.subject()) {
                case Subject.OfNode node -> {}
                case Subject.OfDevice of -> {
                    OcsSwitch failed = scene.intent().switches().get(of.device());
                    if (failed != null) {
                        onsets.add(new Onset(fault.since(), failed.wiring().size()));
                    }
                }
                case Subject.OfPort of -> {
                    if (!scene.health().switches().contains(of.device())) {
                        wired(scene, of)
                                .ifPresent(
                                        wired -> broken.merge(wired, fault.since(), (a, b) -> a.isBefore(b) ? a : b));
                    }
                }
            }
        }
        broken.values().forEach(since -> onsets.add(new Onset(since, 1)));
        return crowded(
                onsets,
                resumed(scene.intent().resumedAt(), scene.world().now()),
                scene.intent().policy(),
                whole);
    }

    /** The first wire at a port. */
    private static Optional<Wired> wired(OcsScene scene, Subject.OfPort port) {
        OcsSwitch of = scene.intent().switches().get(port.device());
        return of == null
                ? Optional.empty()
                : of.wiring().stream()
                        .filter(wire -> wire.ingress().equals(port.port())
                                || wire.egress().equals(port.port()))
                        .findFirst()
                        .map(wire -> new Wired(of.name(), wire));
    }

    private record Wired(String opticalSwitch, OcsSwitch.Wire wire) {}

    /** @param share how much of the fabric failed then */
    private record Onset(Instant at, int share) {}

    /** A person resumes after what has failed: a moment to come would excuse failures that nobody has seen. */
    private static Instant resumed(Optional<Instant> at, Instant now) {
        return at.filter(moment -> !moment.isAfter(now)).orElse(Instant.MIN);
    }

    private static boolean crowded(List<Onset> all, Instant resumed, FabricPolicy policy, int whole) {
        List<Onset> onsets = all.stream()
                .filter(onset -> onset.at().isAfter(resumed))
                .sorted(Comparator.comparing(Onset::at))
                .toList();
        int together = 0;
        for (int first = 0, last = 0; last < onsets.size(); last++) {
            together += onsets.get(last).share();
            while (onsets.get(first)
                    .at()
                    .plus(policy.massFailureWindow())
                    .isBefore(onsets.get(last).at())) {
                together -= onsets.get(first).share();
                first++;
            }
            if (last > first && 100L * together >= (long) policy.massFailurePercent() * whole) {
                return true;
            }
        }
        return false;
    }
}
