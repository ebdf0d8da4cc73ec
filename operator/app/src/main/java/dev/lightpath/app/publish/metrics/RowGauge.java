package dev.lightpath.app.publish.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A gauge whose rows come and go. A row that stays is not registered anew, so showing the same rows again costs only a
 * comparison of each. Not thread-safe.
 */
final class RowGauge {
    private record Row(Meter meter, AtomicReference<Double> value) {}

    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final Map<Tags, Row> shown = new HashMap<>();

    RowGauge(MeterRegistry registry, String name, String description) {
        this.registry = registry;
        this.name = name;
        this.description = description;
    }

    /** Shows these rows and no others. Linear. */
    void show(Map<Tags, Double> rows) {
        Iterator<Map.Entry<Tags, Row>> known = shown.entrySet().iterator();
        while (known.hasNext()) {
            Map.Entry<Tags, Row> each = known.next();
            if (!rows.containsKey(each.getKey())) {
                registry.remove(each.getValue().meter());
                known.remove();
            }
        }
        rows.forEach((tags, value) -> {
            Row row = shown.get(tags);
            if (row == null) {
                shown.put(tags, register(tags, value));
            } else {
                row.value().set(value);
            }
        });
    }

    private Row register(Tags tags, double first) {
        AtomicReference<Double> value = new AtomicReference<>(first);
        return new Row(
                Gauge.builder(name, value, AtomicReference::get)
                        .description(description)
                        .tags(tags)
                        .strongReference(true)
                        .register(registry),
                value);
    }
}
