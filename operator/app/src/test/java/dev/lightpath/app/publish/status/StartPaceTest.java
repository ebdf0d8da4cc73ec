package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.StartDelay;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartPaceTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final FabricSliceStatus RECORDED = status();

    private final StartPace pace = new StartPace();

    private static Condition condition(String type, String status, String reason) {
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage("")
                .build();
    }

    private static FabricSliceStatus status(Condition... conditions) {
        return new FabricSliceStatus(1L, List.of(conditions), null, null);
    }

    private static FabricSliceStatus placed(String ready, String reason) {
        return status(condition("Allocated", "True", "Satisfied"), condition("Ready", ready, reason));
    }

    @Test
    void lightThatIsSoonThereIsToldOnce() {
        assertThat(pace.wait("a", false, RECORDED, placed("False", "Programming"), T0))
                .contains(Duration.ofMillis(750));
        assertThat(pace.wait("a", false, RECORDED, placed("False", "Qualifying"), T0.plusMillis(100)))
                .contains(Duration.ofMillis(650));
        assertThat(pace.wait("a", false, RECORDED, placed("True", "Satisfied"), T0.plusMillis(120)))
                .isEmpty();
    }

    @Test
    void lightThatTakesLongerIsToldOnItsWay() {
        pace.wait("a", false, RECORDED, placed("False", "Programming"), T0);
        assertThat(pace.wait("a", false, RECORDED, placed("False", "Programming"), T0.plusMillis(750)))
                .isEmpty();
    }

    /** Its status could not be written. */
    @Test
    void aDelayThatIsOverDoesNotBeginAgain() {
        FabricSliceStatus making = placed("False", "Programming");
        pace.wait("a", false, RECORDED, making, T0);
        assertThat(pace.wait("a", false, RECORDED, making, T0.plusMillis(750))).isEmpty();
        pace.keep("a"::equals);
        assertThat(pace.wait("a", false, RECORDED, making, T0.plusMillis(800))).isEmpty();
        pace.wait("b", false, RECORDED, placed("False", "DriverUnreachable"), T0);
        assertThat(pace.wait("b", false, RECORDED, making, T0.plusMillis(1))).isEmpty();
        pace.keep("b"::equals);
        assertThat(pace.wait("a", false, RECORDED, making, T0.plusMillis(900)))
                .as("another slice of its name")
                .isPresent();
    }

    @Test
    void whatStandsInTheWayAndWhatWasToldBeforeDoNotWait() {
        assertThat(pace.wait("a", false, RECORDED, placed("False", "DriverUnreachable"), T0))
                .isEmpty();
        assertThat(pace.wait("a", false, RECORDED, status(condition("Allocated", "False", "InsufficientCapacity")), T0))
                .isEmpty();
        assertThat(pace.wait("a", false, placed("True", "Satisfied"), placed("False", "Programming"), T0))
                .isEmpty();
    }

    @Test
    void aPlaceThatAnotherJobIsToHaveIsToldAtOnce() {
        FabricSliceStatus making = placed("False", "Programming");
        FabricSliceStatus taken =
                new FabricSliceStatus(1L, making.conditions(), null, null, null, null, 1L, "team-b/urgent");
        assertThat(pace.wait("a", false, RECORDED, making, T0)).isPresent();
        assertThat(pace.wait("a", false, RECORDED, taken, T0)).isEmpty();
    }

    @Test
    void aPlaceThatPodsWaitForIsToldAtOnceAndThatThereIsNoneYetIsNot() {
        FabricSliceStatus pending =
                status(condition("Allocated", "Unknown", "Pending"), condition("Ready", "Unknown", "Pending"));
        assertThat(pace.wait("a", true, status(), pending, T0)).contains(StartDelay.OF_ONE);
        assertThat(pace.wait("a", true, RECORDED, placed("False", "Programming"), T0.plusMillis(10)))
                .isEmpty();
    }

    @Test
    void theFirstWordComesInTimeHoweverLongThePlaceWasLookedFor() {
        FabricSliceStatus pending =
                status(condition("Allocated", "Unknown", "Pending"), condition("Ready", "Unknown", "Pending"));
        pace.wait("a", false, status(), pending, T0);
        assertThat(pace.wait("a", false, RECORDED, placed("False", "Programming"), T0.plusMillis(700)))
                .contains(Duration.ofMillis(50));
        pace.wait("b", false, status(), pending, T0);
        assertThat(pace.wait("b", false, status(), pending, T0.plusMillis(750))).isEmpty();
    }

    @Test
    void aFewTogetherAreToldWithinASecond() {
        for (int slice = 0; slice < 15; slice++) {
            pace.wait("s" + slice, false, RECORDED, placed("False", "Programming"), T0);
        }
        assertThat(pace.wait("s0", false, RECORDED, placed("False", "Programming"), T0.plusMillis(750)))
                .isEmpty();
    }

    @Test
    void manyTogetherWaitLonger() {
        for (int slice = 0; slice < 300; slice++) {
            pace.wait("s" + slice, false, RECORDED, placed("False", "Programming"), T0);
        }
        assertThat(pace.wait("s0", false, RECORDED, placed("False", "Programming"), T0.plusMillis(29_999)))
                .contains(Duration.ofMillis(1));
        pace.keep("s0"::equals);
        assertThat(pace.wait("s0", false, RECORDED, placed("False", "Programming"), T0.plusMillis(29_999)))
                .isEmpty();
    }
}
