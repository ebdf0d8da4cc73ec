package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.Plant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads a time line and checks every fault in it against the plant. */
final class TimelineReader {
    private static final Pattern DURATION = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|min|h|d)?");
    private static final double MAX_MILLIS = 3.2e11;

    private TimelineReader() {}

    static List<TimelineEntry> read(Yaml yaml, Plant plant, Cabling cabling) {
        List<TimelineEntry> entries = new ArrayList<>();
        for (Yaml entry : yaml.list("timeline")) {
            entries.add(entry(entry, plant, cabling));
        }
        return entries;
    }

    private static TimelineEntry entry(Yaml yaml, Plant plant, Cabling cabling) {
        String what = "a timeline entry";
        Map<String, Yaml> fields = yaml.fields(
                what,
                Set.of(
                        "at",
                        "every",
                        "inject",
                        "clear",
                        "device",
                        "port",
                        "path",
                        "module",
                        "value",
                        "for",
                        "otherPort"));
        long at = millis(yaml.need(fields, "at", what), "at");
        Yaml every = fields.get("every");
        long repeat = every == null ? 0 : millis(every, "every");
        if (every != null && repeat < 1) {
            throw every.wrong("every must be at least 1ms");
        }
        Yaml clear = fields.get("clear");
        Yaml inject = fields.get("inject");
        if ((clear == null) == (inject == null)) {
            throw yaml.wrong(what + " needs either 'inject' or 'clear'");
        }
        if (clear != null) {
            String device = clear.text("clear");
            if (!device.equals("all") && plant.findDevice(device) < 0) {
                throw clear.wrong("unknown device '" + device + "', clear needs a device or 'all'");
            }
            return new TimelineEntry(at, repeat, null, device.equals("all") ? "" : device);
        }
        FaultKind kind = FaultKind.valueOf(yaml.need(fields, "inject", what)
                .oneOf(
                        "inject",
                        Arrays.stream(FaultKind.values()).map(Enum::name).collect(Collectors.toSet())));
        List<String> places = new ArrayList<>();
        for (String name : List.of("port", "path", "module")) {
            if (fields.containsKey(name)) {
                places.add(yaml.need(fields, name, what).text(name));
            }
        }
        if (places.size() > 1) {
            throw yaml.wrong(what + " may name only one of port, path and module");
        }
        Yaml value = fields.get("value");
        Yaml lasting = fields.get("for");
        FaultRequest request = new FaultRequest(
                text(fields, "device"),
                places.isEmpty() ? "" : places.getFirst(),
                kind,
                value == null ? 0 : value.number("value", 0, 1e12),
                lasting == null ? 0 : millis(lasting, "for"),
                text(fields, "otherPort"));
        try {
            request.check(plant, cabling);
        } catch (IllegalArgumentException e) {
            throw yaml.wrong(String.valueOf(e.getMessage()));
        }
        return new TimelineEntry(at, repeat, request, "");
    }

    private static String text(Map<String, Yaml> fields, String name) {
        Yaml yaml = fields.get(name);
        return yaml == null ? "" : yaml.text(name);
    }

    /** Milliseconds of a duration such as 5s, 200ms, 2min, 1.5h, 3d; a bare number is milliseconds. */
    static long millis(Yaml yaml, String what) {
        String text = yaml.text(what);
        Matcher matcher = DURATION.matcher(text);
        if (matcher.matches()) {
            String unit = matcher.group(2) == null ? "ms" : matcher.group(2);
            double scale = switch (unit) {
                case "s" -> 1e3;
                case "min" -> 6e4;
                case "h" -> 3.6e6;
                case "d" -> 8.64e7;
                default -> 1;
            };
            double millis = Double.parseDouble(matcher.group(1)) * scale;
            if (millis <= MAX_MILLIS) {
                return Math.round(millis);
            }
        }
        throw yaml.wrong(what + " is '" + text + "', a duration such as 200ms, 5s, 2min, 1h or 3d is needed");
    }
}
