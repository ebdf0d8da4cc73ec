package dev.lightpath.sim.scenario;

import java.util.List;

/**
 * What happens by itself.
 *
 * @param entries at times that are known
 * @param rates at times that are drawn from the seed
 */
public record Schedule(List<TimelineEntry> entries, List<FaultRate> rates) {
    /** Copies the lists. */
    public Schedule {
        entries = List.copyOf(entries);
        rates = List.copyOf(rates);
    }
}
