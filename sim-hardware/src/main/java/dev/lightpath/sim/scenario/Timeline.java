package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.Chance;
import dev.lightpath.sim.core.Chance.Draw;
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.scenario.FaultRate.Place;
import java.util.HashMap;
import java.util.Map;

/** Carries out what is to happen by itself: time line entries when they fall due, and faults by chance. */
public final class Timeline {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final double NANOS_PER_DAY = 86_400_000.0 * NANOS_PER_MILLI;

    private final Hardware hardware;
    private final Chance chance;
    private int pending;
    private int rates;

    /** A time line without entries. */
    public Timeline(Hardware hardware) {
        this.hardware = hardware;
        chance = new Chance(hardware.seed());
    }

    /** Adds a schedule; its times count from now. */
    public void add(Schedule schedule) {
        for (TimelineEntry entry : schedule.entries()) {
            pending++;
            hardware.after(entry.atMillis() * NANOS_PER_MILLI, () -> carryOut(entry));
        }
        for (FaultRate rate : schedule.rates()) {
            breakLater(rate, rates++, 0, new HashMap<>());
        }
    }

    /**
     * Waits for the next of these faults. They come as in a Poisson process; one that would befall a broken place is
     * left out.
     *
     * @param standing the last fault of each place
     */
    private void breakLater(FaultRate rate, int number, long count, Map<Place, String> standing) {
        double perNano = rate.perDay() * rate.places().size() / NANOS_PER_DAY;
        double nanos = -Math.log(1 - chance.unit(Draw.FAULT_RATE, number, 2 * count)) / perNano;
        hardware.after((long) nanos, () -> {
            breakLater(rate, number, count + 1, standing);
            double which = chance.unit(Draw.FAULT_RATE, number, 2 * count + 1);
            Place place = rate.places().get((int) (which * rate.places().size()));
            if (!hardware.stands(standing.getOrDefault(place, ""))) {
                standing.put(place, hardware.inject(rate.request(place)).id());
            }
        });
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
