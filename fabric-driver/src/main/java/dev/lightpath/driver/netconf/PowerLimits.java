package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Ports;
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
 */
record PowerLimits(Map<String, Limits> ofPorts, double hysteresisDb) {
    /** Of a switch that names none. */
    static final PowerLimits NONE = new PowerLimits(Map.of(), 0);

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
     * @throws LostException when a row names a port that the switch does not have
     */
    static PowerLimits of(List<Element> alarms, List<Element> meters, OptionalDouble hysteresis, PortLayout layout)
            throws LostException {
        Map<String, Double> offsets = new TreeMap<>();
        for (Element each : meters) {
            offsets.put(
                    Ports.name(layout, each.text("port-id"), "opm-config"),
                    OpticalSwitch.number(each.text("offset")).orElse(0));
        }
        Map<String, Limits> all = new TreeMap<>();
        for (Element each : alarms) {
            String port = Ports.name(layout, each.text("port-id"), "opm-alarm-config");
            if (each.text("mode").equals("POWER_ALARM_ENABLED")) {
                Limits limits = new Limits(
                        OpticalSwitch.number(each.text("signal-low-threshold")).orElse(-60),
                        OpticalSwitch.number(each.text("signal-degrade-threshold"))
                                .orElse(-60),
                        OpticalSwitch.number(each.text("signal-high-threshold")).orElse(25));
                all.put(port, limits.shown(offsets.getOrDefault(port, 0.0)));
            }
        }
        return new PowerLimits(all, hysteresis.orElse(USUAL_HYSTERESIS_DB));
    }
}
