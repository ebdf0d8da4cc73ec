package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.Plant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what is to happen by itself: a time line, and faults by chance. */
public final class ScheduleReader {
    private static final String TIMELINE = "timeline";
    private static final String RATES = "faultRates";

    private ScheduleReader() {}

    /**
     * Parses a text for hardware that runs: {@code timeline}, {@code faultRates} or both, or the entries of a time line
     * without that key.
     *
     * @throws ScenarioException when it cannot be used
     */
    public static Schedule parse(String file, String text, Hardware hardware) {
        Yaml root = Yaml.parse(file, text);
        if (!root.isMapping()) {
            return new Schedule(TimelineReader.read(root, hardware.plant(), hardware.cabling()), List.of());
        }
        Map<String, Yaml> fields = root.fields("the document", Set.of(TIMELINE, RATES));
        if (fields.isEmpty()) {
            throw root.wrong("the document needs '" + TIMELINE + "' or '" + RATES + "'");
        }
        return read(fields, hardware.plant(), hardware.cabling(), hardware.seed());
    }

    static Schedule read(Map<String, Yaml> fields, Plant plant, Cabling cabling, long seed) {
        @Nullable Yaml timeline = fields.get(TIMELINE);
        Schedule chance = FaultRatesReader.read(fields.get(RATES), plant, cabling, seed);
        List<TimelineEntry> entries = new ArrayList<>(chance.entries());
        if (timeline != null) {
            entries.addAll(TimelineReader.read(timeline, plant, cabling));
        }
        return new Schedule(entries, chance.rates());
    }
}
