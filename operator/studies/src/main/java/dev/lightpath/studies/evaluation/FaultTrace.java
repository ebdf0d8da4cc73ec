package dev.lightpath.studies.evaluation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

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

    /**
     * The same for that many times the servers: each copy of this trace begins on another day, and goes on from its
     * first day when its last is over. A fault that this cuts is two faults, one at each end.
     */
    public FaultTrace times(int copies, Random random) {
        Map<Integer, Event> begun = new HashMap<>();
        List<Span> spans = new ArrayList<>();
        for (Event event : events) {
            if (event.starts()) {
                begun.put(event.fault(), event);
            } else {
                spans.add(new Span(Objects.requireNonNull(begun.remove(event.fault())), event.timeDays()));
            }
        }
        begun.values().stream()
                .sorted(Comparator.comparingInt(Event::fault))
                .forEach(start -> spans.add(new Span(start, durationDays)));
        List<Event> all = new ArrayList<>();
        int fault = 0;
        for (int copy = 0; copy < copies; copy++) {
            double shift = random.nextDouble() * durationDays;
            for (Span span : spans) {
                int server = copy * servers + span.start().server();
                double start = (span.start().timeDays() + shift) % durationDays;
                double end = start + (span.endDays() - span.start().timeDays());
                add(all, server, start, Math.min(end, durationDays), fault++);
                if (end > durationDays) {
                    add(all, server, 0, end - durationDays, fault++);
                }
            }
        }
        return new FaultTrace(copies * servers, durationDays, all);
    }

    private record Span(Event start, double endDays) {}

    private static void add(List<Event> all, int server, double start, double end, int fault) {
        all.add(new Event(start, server, true, fault));
        all.add(new Event(end, server, false, fault));
    }
}
