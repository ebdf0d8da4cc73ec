package dev.lightpath.app.publish.metrics;

import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.world.World;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Series that name devices, so that an alert can say which one: faults, switches, and devices that fail their changes.
 * Each has a bound. Not thread-safe.
 */
final class FabricDetail {
    /** Faults of a fabric that are named; its status names as many. */
    static final int MOST_FAULTS = 64;

    /** Switches that are named. */
    static final int MOST_SWITCHES = 1024;

    /** Devices that are named because they fail their changes. */
    static final int MOST_SETBACKS = 64;

    private static final String DEVICE = "device";

    /** Those that stay until a person clears them, then the newest. */
    private static final Comparator<Fault> ORDER =
            Comparator.comparing(Fault::quarantined).reversed().thenComparing(Fault::since, Comparator.reverseOrder());

    private final RowGauge faults;
    private final RowGauge switches;
    private final RowGauge setbacks;

    FabricDetail(MeterRegistry registry) {
        faults = new RowGauge(
                registry,
                "lightpath.fault.since.seconds",
                "Time at which a fault was first seen, in seconds since 1970; at most " + MOST_FAULTS + " of a fabric,"
                        + " those in quarantine first.");
        switches = new RowGauge(
                registry,
                "lightpath.switch.info",
                "1 for each OpticalSwitch: its fabric, its device, and whether it is drained.");
        setbacks = new RowGauge(
                registry,
                "lightpath.device.setbacks",
                "Changes that a device refused or left without an outcome, one after the other; at most "
                        + MOST_SETBACKS + " devices.");
    }

    /** What the pass found of each fabric. */
    void shows(SortedMap<String, FabricVerdict> fabrics) {
        Map<Tags, Double> rows = new HashMap<>();
        fabrics.forEach((fabric, verdict) -> verdict.faults().stream()
                .sorted(ORDER)
                .limit(MOST_FAULTS)
                .forEach(fault ->
                        rows.merge(tags(fabric, fault), (double) fault.since().getEpochSecond(), Math::min)));
        faults.show(rows);
    }

    private static Tags tags(String fabric, Fault fault) {
        String kind = fault.subject().kind();
        return Tags.of(
                FabricGauges.FABRIC,
                fabric,
                "kind",
                kind,
                DEVICE,
                fault.subject().label().substring(kind.length() + 1),
                "signal",
                fault.reason(),
                "quarantined",
                Boolean.toString(fault.quarantined()));
    }

    /** What the pass looked at. */
    void looked(World world) {
        Map<Tags, Double> named = new HashMap<>();
        world.ocsFabrics()
                .forEach((fabric, spine) -> spine.switches().forEach((name, of) -> {
                    if (named.size() < MOST_SWITCHES) {
                        named.put(
                                Tags.of(
                                        FabricGauges.FABRIC,
                                        fabric,
                                        "switch",
                                        name,
                                        DEVICE,
                                        of.device().device(),
                                        "drained",
                                        Boolean.toString(of.drained())),
                                1.0);
                    }
                }));
        switches.show(named);
        Map<Tags, Double> failing = new HashMap<>();
        world.setbacks().entrySet().stream()
                .sorted(Comparator.comparingInt(each -> -each.getValue().count()))
                .limit(MOST_SETBACKS)
                .forEach(each -> failing.put(
                        Tags.of(
                                "driver",
                                each.getKey().driver(),
                                DEVICE,
                                each.getKey().device()),
                        (double) each.getValue().count()));
        setbacks.show(failing);
    }

    /** No pass looks at them any more. */
    void ended() {
        faults.show(Map.of());
        switches.show(Map.of());
        setbacks.show(Map.of());
    }
}
