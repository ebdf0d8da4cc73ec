package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
            if (!node.isEmpty() && fault.since().isAfter(scene.book().openedAt())) {
                since.merge(node, fault.since(), (a, b) -> a.isBefore(b) ? a : b);
            }
        }
        Instant resumed = scene.intent().resumedAt().orElse(Instant.MIN);
        List<Instant> onsets = since.values().stream()
                .filter(onset -> onset.isAfter(resumed))
                .sorted(Comparator.naturalOrder())
                .toList();
        int nodes = scene.intent().nodes().size();
        Duration window = scene.intent().policy().massFailureWindow();
        for (int first = 0, last = 0; last < onsets.size(); last++) {
            while (onsets.get(first).plus(window).isBefore(onsets.get(last))) {
                first++;
            }
            int together = last - first + 1;
            if (together > 1
                    && 100L * together >= (long) scene.intent().policy().massFailurePercent() * nodes) {
                return true;
            }
        }
        return false;
    }
}
