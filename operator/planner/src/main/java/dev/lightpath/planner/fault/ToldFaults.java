package dev.lightpath.planner.fault;

import java.util.List;

/**
 * Faults that an earlier process told of.
 *
 * @param faults the newest, and all that are quarantined
 * @param all whether there were no others
 * @param massFailure whether they stopped all automatic moves
 */
public record ToldFaults(List<Fault> faults, boolean all, boolean massFailure) {
    public ToldFaults {
        faults = List.copyOf(faults);
    }

    /** These and no others, which stopped nothing. */
    public static ToldFaults of(List<Fault> faults) {
        return new ToldFaults(faults, true, false);
    }

    public static ToldFaults none() {
        return of(List.of());
    }
}
