package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Programmed;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressPaceTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

    private final ProgressPace pace = new ProgressPace();

    @Test
    void aConditionThatTurnsIsToldAtOnce() {
        assertThat(pace.wait("a", status("True", "Satisfied", 12, 3), status("False", "Faulty", 10, 3), T0))
                .isEmpty();
        assertThat(pace.wait(
                        "a", status("False", "Faulty", 10, 3), status("True", "Satisfied", 12, 3), T0.plusMillis(1)))
                .isEmpty();
    }

    @Test
    void anotherReasonOfTheSameConditionKeepsThePace() {
        pace.wait("a", status("True", "Satisfied", 12, 3), status("False", "FaultPending", 10, 3), T0);
        assertThat(pace.wait(
                        "a",
                        status("False", "FaultPending", 10, 3),
                        status("False", "Programming", 11, 2),
                        T0.plusMillis(100)))
                .contains(Duration.ofMillis(400));
        assertThat(pace.wait(
                        "a",
                        status("False", "FaultPending", 10, 3),
                        status("False", "Programming", 11, 2),
                        T0.plusMillis(500)))
                .isEmpty();
    }

    /** Pods of the job wait for it behind their gate. */
    @Test
    void thatNothingChangesByALaterRecordIsToldAtOnce() {
        FabricSliceStatus before = status("True", "Satisfied", 12, 3);
        pace.wait("a", status("False", "Programming", 11, 3), before, T0);
        assertThat(pace.wait("a", before, status("True", "Satisfied", 12, 3, 2), T0.plusMillis(100)))
                .isEmpty();
    }

    @Test
    void sparesAloneAreToldOnceTheyLast() {
        FabricSliceStatus before = status("True", "Satisfied", 12, 3);
        FabricSliceStatus after = status("True", "Satisfied", 12, 2);
        assertThat(pace.wait("a", before, after, T0)).contains(ProgressPace.SPARES_LAST);
        assertThat(pace.wait("a", before, after, T0.plusSeconds(1))).contains(ProgressPace.SPARES_LAST.minusSeconds(1));
        assertThat(pace.wait("a", before, after, T0.plus(ProgressPace.SPARES_LAST)))
                .isEmpty();
    }

    @Test
    void sparesThatAreBackBeginAnew() {
        FabricSliceStatus before = status("True", "Satisfied", 12, 3);
        FabricSliceStatus after = status("True", "Satisfied", 12, 2);
        pace.wait("a", before, after, T0);
        pace.said("a");
        assertThat(pace.wait("a", before, after, T0.plus(ProgressPace.SPARES_LAST)))
                .contains(ProgressPace.SPARES_LAST);
    }

    private static FabricSliceStatus status(String ready, String reason, int lit, int spares) {
        return status(ready, reason, lit, spares, 1);
    }

    private static FabricSliceStatus status(String ready, String reason, int lit, int spares, long revision) {
        Condition condition = new ConditionBuilder()
                .withType("Ready")
                .withStatus(ready)
                .withReason(reason)
                .withMessage("")
                .build();
        return new FabricSliceStatus(
                1L,
                List.of(condition),
                null,
                new Programmed(12, lit, 0),
                new PlacementSummary(1, "0.0000", spares),
                null,
                revision);
    }
}
