package dev.lightpath.benchmarks.whole;

import dev.lightpath.proto.emulator.v1alpha1.LightChange;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/**
 * Follows the light of some devices by the emulator's own log, which says when it changed. Polling all lit circuits
 * would take processor time from the measured processes.
 */
final class LightWatch {
    /** The log is asked for so often; its entries carry their own times. */
    static final int PERIOD_MILLIS = 20;

    private final Light light;
    private final List<String> devices;
    private final SortedSet<String> lit;
    private long seen;
    private Instant changed;
    private long changedNanos = System.nanoTime();

    /** Begins now. */
    LightWatch(Light light, Collection<String> devices) {
        this.light = light;
        this.devices = List.copyOf(devices);
        Light.Moment begin = light.now();
        seen = begin.lastEvent();
        changed = begin.at();
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

    /** When light changed last, or the watch began, by the emulator's clock. */
    Instant changed() {
        return changed;
    }

    /** Whether nothing has changed for so long. */
    boolean isStill(long millis) {
        return System.nanoTime() - changedNanos > millis * 1_000_000;
    }
}
