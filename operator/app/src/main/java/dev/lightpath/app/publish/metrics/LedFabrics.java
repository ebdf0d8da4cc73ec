package dev.lightpath.app.publish.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which fabrics this process leads, of all that exist: one that is 0 everywhere is led by nobody. Serves one thread.
 */
final class LedFabrics {
    private final MultiGauge led;
    private SortedSet<String> shown = Collections.emptySortedSet();

    LedFabrics(MeterRegistry registry) {
        led = MultiGauge.builder("lightpath.fabric.led")
                .description("1 while this replica leads the fabric, else 0; of each fabric that exists.")
                .register(registry);
    }

    /** @param leads asked whenever the gauges are */
    void show(SortedSet<String> known, Predicate<String> leads) {
        if (shown.equals(known)) {
            return;
        }
        shown = new TreeSet<>(known);
        led.register(
                shown.stream()
                        .map(fabric -> MultiGauge.Row.of(
                                Tags.of(FabricGauges.FABRIC, fabric), fabric, of -> leads.test(of) ? 1 : 0))
                        .toList(),
                true);
    }
}
