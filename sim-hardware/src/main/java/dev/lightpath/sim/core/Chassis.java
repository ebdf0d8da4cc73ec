package dev.lightpath.sim.core;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What changes about a device as a whole. */
final class Chassis {
    /** Normal temperature, in degrees Celsius. */
    static final double NORMAL_CELSIUS = 35;

    boolean powered = true;
    boolean reachable = true;
    int boots = 1;
    int replacements;
    int powerCycles;
    long bootedAtNanos;
    BootReason bootReason = BootReason.POWER_ON;
    long seq;
    double temperatureCelsius = NORMAL_CELSIUS;
    int moves;

    /** What a device that lies by a stale cache last read. */
    @Nullable
    Report cached;

    /** Present alarms; made when the first one is raised. */
    @Nullable
    TreeMap<Report.AlarmKey, Report.AlarmView> alarms;
}
