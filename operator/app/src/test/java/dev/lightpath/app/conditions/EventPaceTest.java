package dev.lightpath.app.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class EventPaceTest {
    private static final Duration NOW = Duration.ZERO;

    @Test
    void aFewEventsGiveWayToNothing() {
        assertThat(EventWriter.pause(0, NOW)).isZero();
        assertThat(EventWriter.pause(64, NOW)).isZero();
    }

    @Test
    void eventsOfManyJobsGiveWayWhileMoreCome() {
        assertThat(EventWriter.pause(65, NOW)).isPositive();
        assertThat(EventWriter.pause(65, Duration.ofSeconds(2))).isPositive();
        assertThat(EventWriter.pause(65, Duration.ofSeconds(3))).isZero();
    }

    @Test
    void eventsThatWouldBeLostGiveWayToNothing() {
        assertThat(EventWriter.pause(12_287, NOW)).isPositive();
        assertThat(EventWriter.pause(12_288, NOW)).isZero();
    }
}
