package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FlightTest {
    private static final Instant START = Instant.parse("2026-05-01T10:00:00Z");
    private static final DeviceId DEVICE = new DeviceId("driver", "n1");
    private static final Stage STAGE = new Stage(
            new StageId(1, 1),
            "cluster/ring-a",
            Stage.Cause.PLACE,
            List.of(new DeviceChange(
                    DEVICE, "digest", new TreeSet<>(), new TreeSet<>(List.of(new Circuit("b0.common", "b0.loop"))))));

    private final Flight flight = new Flight();

    @Test
    void whatNeverGetsAnOutcomeIsGivenUpAndReadAgain() {
        flight.started(STAGE, START);

        flight.giveUp(START.plus(Flight.LONGEST));
        assertThat(flight.stages()).containsExactly(STAGE);

        flight.giveUp(START.plus(Flight.LONGEST).plusSeconds(1));
        assertThat(flight.stages()).isEmpty();
        assertThat(flight.unsettled()).containsExactly(DEVICE);
        assertThat(flight.setbacks().get(DEVICE).message()).contains("no outcome 15 min after");
    }

    @Test
    void aReadingThatNeverEndsIsGivenUpAndDoneAgain() {
        flight.observing(new TreeSet<>(List.of(DEVICE)), START);

        flight.giveUp(START.plus(Flight.LONGEST).plusSeconds(1));

        assertThat(flight.observing()).isEmpty();
        assertThat(flight.unsettled()).containsExactly(DEVICE);
    }

    @Test
    void aClockThatIsSetEndsNothing() {
        flight.started(STAGE, START);
        flight.moved(Duration.ofDays(1));

        flight.giveUp(START.plus(Duration.ofDays(1)).plusSeconds(1));

        assertThat(flight.stages()).containsExactly(STAGE);
    }
}
