package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.scenario.FaultRate.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads which presets of fault rates a scenario has: driver-contract section 3. */
final class FaultRatesReader {
    private static final String SECTION = "faultRates";
    private static final String OCS = "ocs";
    private static final String CABLE = "cable";
    private static final String NODE_TRACE = "node-trace";
    /** Shares of all that fail in a day at Google (Zu et al., NSDI 2024). */
    private static final double OCS_PERCENT = 0.04;

    private static final double CABLE_PERCENT = 0.005;
    private static final long REPAIR_MILLIS = 4 * 3_600_000L;
    private static final double PERCENT = 100;
    private static final double SECONDS_PER_DAY = 86_400;
    private static final double MOST_PER_SECOND = 100;
    private static final double MOST_SPEED = 100_000;

    private final Plant plant;
    private final Cabling cabling;
    private final long seed;
    private final List<TimelineEntry> entries = new ArrayList<>();
    private final List<FaultRate> rates = new ArrayList<>();

    private FaultRatesReader(Plant plant, Cabling cabling, long seed) {
        this.plant = plant;
        this.cabling = cabling;
        this.seed = seed;
    }

    /** A section that is not there asks for nothing. */
    static Schedule read(@Nullable Yaml section, Plant plant, Cabling cabling, long seed) {
        FaultRatesReader reader = new FaultRatesReader(plant, cabling, seed);
        Set<String> seen = new HashSet<>();
        if (section != null) {
            for (Yaml yaml : section.list(SECTION)) {
                Map<String, Yaml> fields =
                        yaml.fields(SECTION, Set.of("preset", "speed", "percentPerDay", "for", "fromDay"));
                Yaml name = yaml.need(fields, "preset", SECTION);
                String preset = name.oneOf(SECTION + ".preset", Set.of(OCS, CABLE, NODE_TRACE));
                if (!seen.add(preset)) {
                    throw name.wrong(SECTION + ": '" + preset + "' is there twice");
                }
                reader.preset(preset, yaml, fields);
            }
        }
        return new Schedule(reader.entries, reader.rates);
    }

    private void preset(String preset, Yaml yaml, Map<String, Yaml> fields) {
        Yaml faster = fields.get("speed");
        double speed = faster == null ? 1 : faster.number(SECTION + ".speed", 1, MOST_SPEED);
        boolean trace = preset.equals(NODE_TRACE);
        for (String field : trace ? List.of("percentPerDay", "for") : List.of("fromDay")) {
            Yaml foreign = fields.get(field);
            if (foreign != null) {
                throw foreign.wrong(SECTION + ": preset " + preset + " has no '" + field + "'");
            }
        }
        if (trace) {
            trace(yaml, fields.get("fromDay"), speed);
        } else {
            rate(preset, yaml, fields, speed);
        }
    }

    private void trace(Yaml yaml, @Nullable Yaml fromDay, double speed) {
        NodeTrace trace = new NodeTrace();
        double from = fromDay == null ? 0 : fromDay.number(SECTION + ".fromDay", 0, trace.days());
        List<TimelineEntry> all = trace.entries(plant, cabling, seed, from, speed);
        if (all.isEmpty()) {
            throw yaml.wrong(
                    SECTION + ": preset " + NODE_TRACE + " needs nodes: 'ring', or devices of kind transceivers");
        }
        entries.addAll(all);
    }

    private void rate(String preset, Yaml yaml, Map<String, Yaml> fields, double speed) {
        boolean switches = preset.equals(OCS);
        List<Place> places = switches ? switches() : fibres();
        if (places.isEmpty()) {
            throw yaml.wrong(SECTION + ": preset " + preset + " needs " + (switches ? "a switch" : "a fibre"));
        }
        Yaml percent = fields.get("percentPerDay");
        Yaml lasting = fields.get("for");
        double usual = switches ? OCS_PERCENT : CABLE_PERCENT;
        double share = percent == null ? usual : percent.number(SECTION + ".percentPerDay", 0, 1e9);
        double perDay = speed * share / PERCENT;
        double perSecond = perDay * places.size() / SECONDS_PER_DAY;
        if (perSecond > MOST_PER_SECOND) {
            throw yaml.wrong(SECTION + ": preset " + preset + " makes " + Math.round(perSecond)
                    + " faults a second, at most " + Math.round(MOST_PER_SECOND) + " are emulated");
        }
        long repair = lasting == null ? REPAIR_MILLIS : TimelineReader.millis(lasting, "for");
        rates.add(new FaultRate(
                switches ? FaultKind.POWER_LOSS : FaultKind.FIBRE_CUT,
                places,
                perDay,
                Math.max(1, Math.round(repair / speed))));
    }

    private List<Place> switches() {
        return IntStream.range(0, plant.deviceCount())
                .filter(device -> plant.device(device).kind() == DeviceKind.SWITCH)
                .mapToObj(device -> new Place(plant.device(device).id(), ""))
                .toList();
    }

    /** Each fibre once, named by an end at which nothing else is plugged in. */
    private List<Place> fibres() {
        List<Place> fibres = new ArrayList<>();
        for (int port = 0; port < plant.portCount(); port++) {
            int far = cabling.to(port);
            boolean duplex = far >= 0 && cabling.to(far) == port;
            if (far >= 0 && (!duplex || port < far)) {
                int end = duplex || cabling.to(far) < 0 ? far : port;
                fibres.add(new Place(plant.device(plant.deviceOf(end)).id(), plant.portName(end)));
            }
        }
        return fibres;
    }
}
