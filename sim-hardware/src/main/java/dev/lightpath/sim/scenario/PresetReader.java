package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.plant.Preset;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a scenario's own presets, each of which changes a known one. */
final class PresetReader {
    private static final double MICROS_PER_MILLI = 1000;
    private static final double MAX_MILLIS = 3.6e6;

    private PresetReader() {}

    static void read(Yaml yaml, Map<String, Preset> presets) {
        for (Map.Entry<String, Yaml> entry : yaml.entries("presets").entrySet()) {
            String name = entry.getKey();
            String what = "preset " + name;
            Yaml body = entry.getValue();
            Map<String, Yaml> fields = body.fields(
                    what, Set.of("extends", "moveMillis", "parallel", "replaces", "maxBatch", "attenuators"));
            if (presets.containsKey(name)) {
                throw body.wrong("preset " + name + " exists already");
            }
            Preset base = presets.get(body.need(fields, "extends", what).oneOf("extends", presets.keySet()));
            if (base == null) {
                throw new IllegalStateException("no base of " + what);
            }
            long min = base.overheadMicros() + base.slewMinMicros() + base.settleMicros();
            long max = base.maxMicros();
            Yaml millis = fields.get("moveMillis");
            if (millis != null) {
                List<Yaml> range = millis.list("moveMillis");
                if (range.size() != 2) {
                    throw millis.wrong("moveMillis must be a list of shortest and longest");
                }
                min = (long) (range.get(0).number("moveMillis", 0, MAX_MILLIS) * MICROS_PER_MILLI);
                max = (long) (range.get(1).number("moveMillis", 0, MAX_MILLIS) * MICROS_PER_MILLI);
                if (max < min) {
                    throw millis.wrong("moveMillis: the longest is shorter than the shortest");
                }
            }
            Yaml parallel = fields.get("parallel");
            Yaml replaces = fields.get("replaces");
            Yaml batch = fields.get("maxBatch");
            Yaml attenuators = fields.get("attenuators");
            presets.put(
                    name,
                    base.withMoveMicros(name, min, max)
                            .withBatches(
                                    parallel == null ? base.parallel() : parallel.flag("parallel"),
                                    replaces == null ? base.replaces() : replaces.flag("replaces"),
                                    batch == null ? base.maxBatch() : (int) batch.whole("maxBatch", 1, 65_536))
                            .withAttenuators(
                                    attenuators == null ? base.attenuators() : attenuators.flag("attenuators")));
        }
    }
}
