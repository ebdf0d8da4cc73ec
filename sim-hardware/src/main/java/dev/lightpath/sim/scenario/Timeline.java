package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.fault.FaultRequest;
import java.util.List;

/** Carries out time line entries when they fall due. */
public final class Timeline {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Hardware hardware;
    private int pending;

    /** A time line without entries. */
    public Timeline(Hardware hardware) {
        this.hardware = hardware;
    }

    /** Adds entries; their times count from now. */
    public void add(List<TimelineEntry> entries) {
        for (TimelineEntry entry : entries) {
            pending++;
            hardware.after(entry.atMillis() * NANOS_PER_MILLI, () -> carryOut(entry));
        }
    }

    /** Entries still to come; one that repeats is always to come. */
    public int pending() {
        return pending;
    }

    private void carryOut(TimelineEntry entry) {
        if (entry.repeatMillis() > 0) {
            hardware.after(entry.repeatMillis() * NANOS_PER_MILLI, () -> carryOut(entry));
        } else {
            pending--;
        }
        FaultRequest inject = entry.inject();
        if (inject != null) {
            hardware.inject(inject);
        } else {
            String device = entry.clearDevice();
            hardware.clearFaults(
                    fault -> device.isEmpty() || fault.request().deviceId().equals(device));
        }
    }
}
