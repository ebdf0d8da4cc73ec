package dev.lightpath.planner.fault;

import java.util.List;

/**
 * Faults that an earlier process recorded in the status.
 *
 * @param faults the newest, and all that are quarantined
 * @param all whether there were no others
 * @param massFailure whether they stopped all automatic moves
 */
public record RecordedFaults(List<Fault> faults, boolean all, boolean massFailure) {
    public RecordedFaults {
        faults = List.copyOf(faults);
    }

    /** Exactly these faults, without a mass failure. */
    public static RecordedFaults of(List<Fault> faults) {
        return new RecordedFaults(faults, true, false);
    }

    public static RecordedFaults none() {
        return of(List.of());
    }
}
