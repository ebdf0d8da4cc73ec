package dev.lightpath.benchmarks.whole;

import dev.lightpath.proto.emulator.v1alpha1.LightChange;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * Follows the light of some devices by the emulator's own log, which says when it changed. Polling all lit circuits
 * would take processor time from the measured processes.
 */
final class LightWatch {
    /** The log is asked for so often; its entries carry their own times. */
    static final int PERIOD_MILLIS = 20;

    private final Light light;
    private final Set<String> devices;
    private final Instant began;
    private final SortedSet<String> lit;
    /** When each circuit was lit last, of those that were since the watch began. */
    private final Map<String, Instant> litAt = new HashMap<>();

    private long seen;
    private Instant changed;
    private long changedNanos = System.nanoTime();

    /** Begins now. */
    LightWatch(Light light, Collection<String> devices) {
        this.light = light;
        this.devices = Set.copyOf(devices);
        Light.Moment begin = light.now();
        seen = begin.lastEvent();
        began = begin.at();
        changed = began;
        // what changes meanwhile is in the log as well, and taking it once more does no harm
        lit = light.of(devices);
    }

    /** Reads on. */
    void look() {
        Light.Changes changes = light.changes(seen, devices);
        for (LightEvent event : changes.events()) {
            String circuit = Light.name(event.getDeviceId(), event.getIngress(), event.getEgress());
            boolean fresh = switch (event.getChange()) {
                case LightChange.LIGHT_CHANGE_LIT -> lit.add(circuit);
                case LightChange.LIGHT_CHANGE_DARK -> lit.remove(circuit);
                default -> false;
            };
            if (fresh && event.getChange() == LightChange.LIGHT_CHANGE_LIT) {
                litAt.put(circuit, Light.instant(event.getAt()));
            }
            if (fresh) {
                changed = Light.instant(event.getAt());
                changedNanos = System.nanoTime();
            }
        }
        seen = changes.last();
    }

    /** What is lit, as {@link Light#of} writes it. */
    SortedSet<String> lit() {
        return Collections.unmodifiableSortedSet(lit);
    }

    /** When the last of these circuits on devices that are watched was lit; empty while any is dark. */
    Optional<Instant> lastLit(Collection<String> circuits) {
        Instant last = began;
        for (String circuit : circuits) {
            if (!devices.contains(Light.device(circuit))) {
                continue;
            }
            if (!lit.contains(circuit)) {
                return Optional.empty();
            }
            Instant at = litAt.getOrDefault(circuit, began);
            last = at.isAfter(last) ? at : last;
        }
        return Optional.of(last);
    }

    /** When light changed last, or the watch began, by the emulator's clock. */
    Instant changed() {
        return changed;
    }

    /** Whether nothing has changed for so long. */
    boolean isStill(long millis) {
        return System.nanoTime() - changedNanos > millis * 1_000_000;
    }
}
