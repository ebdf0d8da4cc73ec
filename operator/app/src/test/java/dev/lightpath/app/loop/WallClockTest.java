package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.DeviceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WallClockTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private Instant shows = START;
    private long nanos = 7;
    private final WallClock clock = new WallClock(() -> shows, () -> nanos);

    private void pass(Duration elapsed) {
        shows = shows.plus(elapsed);
        nanos += elapsed.toNanos();
    }

    @Test
    void aClockThatRunsHasNotJumped() {
        pass(Duration.ofHours(3));
        shows = shows.plusMillis(40);
        assertThat(clock.jumped()).isZero();
    }

    @Test
    void tellsHowFarItWasSetWhileTimeWentOn() {
        pass(Duration.ofSeconds(5));
        shows = shows.plusSeconds(3600);
        assertThat(clock.jumped()).isEqualTo(Duration.ofHours(1));
        pass(Duration.ofSeconds(5));
        assertThat(clock.jumped()).isZero();
        shows = shows.minusSeconds(7200);
        assertThat(clock.jumped()).isEqualTo(Duration.ofHours(-2));
    }

    @Test
    void whoWaitsAfterARefusalWaitsAsLongWhenTheClockIsSet() {
        DeviceId device = new DeviceId("driver", "n1");
        InFlightChanges inFlight = new InFlightChanges();
        for (int time = 0; time < 3; time++) {
            inFlight.observed(List.of(), Map.of(device, "no answer"), START);
        }
        Instant before = inFlight.setbacks().get(device).notBefore();
        inFlight.moved(Duration.ofHours(-1));
        assertThat(inFlight.setbacks().get(device).notBefore()).isEqualTo(before.minus(Duration.ofHours(1)));
        assertThat(before).isAfter(START);
    }
}
