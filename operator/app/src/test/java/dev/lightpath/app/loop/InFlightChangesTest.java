package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class InFlightChangesTest {
    private static final Instant START = Instant.parse("2026-05-01T10:00:00Z");
    private static final SliceId SLICE = new SliceId("team", "a");
    private static final DeviceId DEVICE = new DeviceId("driver", "n1");
    private static final Stage STAGE = new Stage(
            new StageId(1, 1),
            "cluster/ring-a",
            Stage.Cause.PLACE,
            List.of(new DeviceChange(
                    DEVICE, "digest", new TreeSet<>(), new TreeSet<>(List.of(new Circuit("b0.common", "b0.loop"))))));

    private final InFlightChanges inFlight = new InFlightChanges();

    @Test
    void whatNeverGetsAnOutcomeIsGivenUpAndReadAgain() {
        inFlight.started(STAGE, START);

        inFlight.expire(START.plus(InFlightChanges.LONGEST));
        assertThat(inFlight.stages()).containsExactly(STAGE);

        inFlight.expire(START.plus(InFlightChanges.LONGEST).plusSeconds(1));
        assertThat(inFlight.stages()).isEmpty();
        assertThat(inFlight.unsettled()).containsExactly(DEVICE);
        assertThat(inFlight.setbacks().get(DEVICE).message()).contains("no outcome 15 min after");
    }

    @Test
    void aReadingThatNeverEndsIsGivenUpAndDoneAgain() {
        inFlight.observing(new TreeSet<>(List.of(DEVICE)), START);

        inFlight.expire(START.plus(InFlightChanges.LONGEST).plusSeconds(1));

        assertThat(inFlight.observing()).isEmpty();
        assertThat(inFlight.unsettled()).containsExactly(DEVICE);
    }

    @Test
    void aRecordThatIsRefusedIsTriedEverMoreSlowlyUntilItIsWritten() {
        Instant now = START;
        List<Duration> waits = new ArrayList<>();
        for (int time = 0; time < 10; time++) {
            inFlight.refused(SLICE, "policy", now);
            Backoff backoff = inFlight.refused().get(SLICE);
            waits.add(Duration.between(now, backoff.notBefore()));
            now = backoff.notBefore();
        }
        assertThat(waits)
                .startsWith(Duration.ZERO, Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2))
                .endsWith(Duration.ofSeconds(30), Duration.ofSeconds(30));
        inFlight.written(new Decision.Adopt.Entry(SLICE, "v1", new Allocation(1, List.of(), new TreeSet<>())));
        assertThat(inFlight.refused()).isEmpty();
    }

    @Test
    void aRefusalIsForgottenOnceNobodyTriesAnyMore() {
        inFlight.refused(SLICE, "policy", START);
        inFlight.expire(START.plusSeconds(59));
        assertThat(inFlight.refused()).containsKey(SLICE);
        inFlight.expire(START.plusSeconds(60));
        assertThat(inFlight.refused()).isEmpty();
    }

    @Test
    void aRecordThatIsWrittenDoesNotEndTheNextOfItsSlice() {
        var first = new Decision.Adopt.Entry(SLICE, "v1", new Allocation(1, List.of(), new TreeSet<>(List.of("n1"))));
        var next = new Decision.Adopt.Entry(SLICE, "v2", new Allocation(1, List.of(), new TreeSet<>()));
        inFlight.recording(List.of(first));
        inFlight.recorded(List.of(first));
        inFlight.recording(List.of(next));

        inFlight.recorded(List.of(first));
        assertThat(inFlight.recording()).containsEntry(SLICE, next.allocation());

        inFlight.recorded(List.of(next));
        assertThat(inFlight.recording()).isEmpty();
    }

    @Test
    void aClockThatIsSetEndsNothing() {
        inFlight.started(STAGE, START);
        inFlight.moved(Duration.ofDays(1));

        inFlight.expire(START.plus(Duration.ofDays(1)).plusSeconds(1));

        assertThat(inFlight.stages()).containsExactly(STAGE);
    }

    /** Else a device that was drained since would count as refusing for ever. */
    @Test
    void aSetbackIsForgottenOnceNobodyAsksTheDeviceForLong() {
        ChangeOutcome refusal =
                new ChangeOutcome.Rejected(ChangeOutcome.Reason.DEVICE_REFUSED, "stuck", Optional.empty());
        for (int times = 0; times < 3; times++) {
            inFlight.started(STAGE, START);
            inFlight.answered(STAGE.id(), DEVICE, refusal, START);
        }
        Backoff backoff = inFlight.setbacks().get(DEVICE);
        assertThat(backoff.count()).isEqualTo(3);

        inFlight.expire(backoff.endsAt().minusMillis(1));
        assertThat(inFlight.setbacks()).containsEntry(DEVICE, backoff);

        inFlight.expire(backoff.endsAt());
        assertThat(inFlight.setbacks()).isEmpty();
    }
}
