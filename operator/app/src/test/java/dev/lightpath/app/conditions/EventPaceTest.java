package dev.lightpath.app.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class EventPaceTest {
    private static final Duration NOW = Duration.ZERO;
    private static final Duration LATELY = Duration.ofSeconds(5);

    @Test
    void aFewEventsGiveWayToNothing() {
        assertThat(EventWriter.pause(0, NOW, LATELY)).isZero();
        assertThat(EventWriter.pause(64, NOW, LATELY)).isZero();
    }

    @Test
    void eventsOfManyJobsGiveWayWhileMoreCome() {
        assertThat(EventWriter.pause(65, NOW, LATELY)).isPositive();
        assertThat(EventWriter.pause(65, Duration.ofSeconds(2), LATELY)).isPositive();
        assertThat(EventWriter.pause(65, Duration.ofSeconds(3), LATELY)).isZero();
    }

    @Test
    void eventsThatWouldBeLostGiveWayToNothing() {
        assertThat(EventWriter.pause(12_287, NOW, LATELY)).isPositive();
        assertThat(EventWriter.pause(12_288, NOW, LATELY)).isZero();
    }

    /** A cluster whose jobs have more of them for hours than are written would tell of them hours later. */
    @Test
    void whatHasWaitedForAMinuteGivesWayToNothing() {
        assertThat(EventWriter.pause(500, NOW, Duration.ofSeconds(59))).isPositive();
        assertThat(EventWriter.pause(500, NOW, Duration.ofMinutes(1))).isZero();
    }
}
