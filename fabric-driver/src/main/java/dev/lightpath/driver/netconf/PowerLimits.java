package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The limits of receive power by which a switch raises alarms ({@code opm-alarm-config}), of the ports whose alarms are
 * enabled.
 *
 * @param ofPorts by port
 * @param hysteresisDb how far inside its limit an alarm ends
 * @param leftOut what of them cannot be used, in a line for people; empty: nothing
 */
record PowerLimits(Map<String, Limits> ofPorts, double hysteresisDb, String leftOut) {
    /** Of a switch that names none. */
    static final PowerLimits NONE = new PowerLimits(Map.of(), 0, "");

    private static final double USUAL_HYSTERESIS_DB = 1;

    PowerLimits {
        ofPorts = Map.copyOf(ofPorts);
    }

    /**
     * In dBm, as the meter of the port shows power.
     *
     * @param lowDbm below it light counts as lost
     * @param degradeDbm below it light is worse than it should be
     * @param highDbm above it light counts as lost
     */
    record Limits(double lowDbm, double degradeDbm, double highDbm) {
        /** The meter adds an offset to what it shows; limits are without it. */
        Limits shown(double offsetDb) {
            return new Limits(lowDbm + offsetDb, degradeDbm + offsetDb, highDbm + offsetDb);
        }
    }

    /**
     * As the switch tells them.
     *
     * @param alarms rows of {@code opm-alarm-config}
     * @param meters rows of {@code opm-config}
     * @param hysteresis {@code alarm-clear-hysteresis}; empty: not told
     */
    static PowerLimits of(List<Element> alarms, List<Element> meters, OptionalDouble hysteresis, PortLayout layout) {
        List<String> leftOut = new ArrayList<>();
        Map<String, Element> meterOf = byPort(meters, "opm-config", layout, leftOut);
        Map<String, Limits> all = new TreeMap<>();
        byPort(alarms, "opm-alarm-config", layout, leftOut).forEach((port, each) -> {
            if (each.text("mode").equals("POWER_ALARM_ENABLED")) {
                Limits limits = new Limits(
                        OpticalSwitch.number(each.text("signal-low-threshold")).orElse(-60),
                        OpticalSwitch.number(each.text("signal-degrade-threshold"))
                                .orElse(-60),
                        OpticalSwitch.number(each.text("signal-high-threshold")).orElse(25));
                Element meter = meterOf.get(port);
                OptionalDouble offset =
                        meter == null ? OptionalDouble.empty() : OpticalSwitch.number(meter.text("offset"));
                all.put(port, limits.shown(offset.orElse(0)));
            }
        });
        String first = leftOut.isEmpty() ? "" : leftOut.getFirst();
        return new PowerLimits(all, hysteresis.orElse(USUAL_HYSTERESIS_DB), first);
    }

    /** Rows of ports that the switch does not have are left out: the others say what they say. */
    private static Map<String, Element> byPort(
            List<Element> rows, String table, PortLayout layout, List<String> leftOut) {
        Map<String, Element> all = new TreeMap<>();
        for (Element row : rows) {
            try {
                all.put(Ports.name(layout, row.text("port-id"), table), row);
            } catch (LostException stranger) {
                leftOut.add(String.valueOf(stranger.getMessage()));
            }
        }
        return all;
    }
}
