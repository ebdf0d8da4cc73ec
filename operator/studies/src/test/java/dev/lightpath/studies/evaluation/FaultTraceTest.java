package dev.lightpath.studies.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.studies.evaluation.FaultTrace.Event;
import dev.lightpath.studies.ring.TraceFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultTraceTest {
    private static final FaultTrace BUNDLED = TraceFile.read(Optional.empty());

    @Test
    void isAsFaultyForEachServerWhenPlayedForMore() {
        FaultTrace more = BUNDLED.times(12, new Random(1));
        assertThat(more.servers()).isEqualTo(12 * BUNDLED.servers());
        assertThat(faultyDays(more))
                .isCloseTo(12 * faultyDays(BUNDLED), org.assertj.core.data.Percentage.withPercentage(1e-6));
        long faults = more.events().stream().filter(Event::starts).count();
        long before = BUNDLED.events().stream().filter(Event::starts).count();
        assertThat(faults).isBetween(12 * before, 12 * before + 12 * 40);
    }

    @Test
    void endsEachFaultOfACopyOnTheSameServerAndWithinItsDays() {
        Map<Integer, Event> open = new HashMap<>();
        for (Event event : BUNDLED.times(3, new Random(2)).events()) {
            assertThat(event.timeDays()).isBetween(0.0, BUNDLED.durationDays());
            if (event.starts()) {
                assertThat(open.put(event.fault(), event)).isNull();
            } else {
                assertThat(Objects.requireNonNull(open.remove(event.fault())).server())
                        .isEqualTo(event.server());
            }
        }
        assertThat(open).isEmpty();
    }

    @Test
    void cutsAFaultThatGoesBeyondTheLastDayInTwo() {
        FaultTrace one = new FaultTrace(1, 10, List.of(new Event(0, 0, true, 0), new Event(9, 0, false, 0)));
        List<Event> events = one.times(1, new Random(3)).events();
        assertThat(events).hasSize(4);
        assertThat(events.getFirst().timeDays()).isZero();
        assertThat(events.getLast().timeDays()).isEqualTo(10);
    }

    private static double faultyDays(FaultTrace trace) {
        Map<Integer, Double> begun = new HashMap<>();
        double days = 0;
        for (Event event : trace.events()) {
            if (event.starts()) {
                begun.put(event.fault(), event.timeDays());
            } else {
                days += event.timeDays() - Objects.requireNonNull(begun.remove(event.fault()));
            }
        }
        for (double start : begun.values()) {
            days += trace.durationDays() - start;
        }
        return days;
    }
}
