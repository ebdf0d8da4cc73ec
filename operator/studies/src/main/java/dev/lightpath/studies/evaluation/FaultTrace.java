package dev.lightpath.studies.evaluation;

import java.util.Comparator;
import java.util.List;

/**
 * When servers failed and came back.
 *
 * @param servers how many servers were watched, numbered from 0
 * @param durationDays length of the observation from time 0
 * @param events in order of time; a server may fail again before it came back, and counts as faulty until all its
 *     faults ended
 */
public record FaultTrace(int servers, double durationDays, List<Event> events) {

    /**
     * @param timeDays since the beginning
     * @param starts true at the beginning of a fault, false at its end
     * @param fault number of the fault, the same at both
     */
    public record Event(double timeDays, int server, boolean starts, int fault) {}

    public FaultTrace {
        events = events.stream()
                .sorted(Comparator.comparingDouble(Event::timeDays))
                .toList();
        for (Event event : events) {
            if (event.server() < 0 || event.server() >= servers) {
                throw new IllegalArgumentException("server " + event.server() + ": must be 0.." + (servers - 1));
            }
        }
    }
}
