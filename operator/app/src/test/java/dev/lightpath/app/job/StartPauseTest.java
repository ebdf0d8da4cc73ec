package dev.lightpath.app.job;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.StartDelay;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartPauseTest {
    private static final long BEGUN = 77;
    private static final Condition PLACED = condition(ConditionType.ALLOCATED, "True", "Satisfied");

    private final SampleJob sample = new SampleJob();
    private final StartPause pause = new StartPause();

    private static FabricSlice slice(Condition... conditions) {
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder().withName(SampleJob.SLICE).build());
        slice.setStatus(new FabricSliceStatus(1L, List.of(conditions), null, null));
        return slice;
    }

    private Duration left(TrainingJob job, FabricSlice slice, long afterMillis) {
        return pause.left(job, List.of(slice), BEGUN + TimeUnit.MILLISECONDS.toNanos(afterMillis));
    }

    @Test
    void beginsWithTheSlicesOfAJobOfWhichNothingWasTold() {
        List<JobStep> first = sample.steps();
        assertThat(first).hasAtLeastOneElementOfType(JobStep.CreateSlice.class);
        assertThat(StartPause.isStart(sample.job(), first)).isTrue();
        assertThat(StartPause.isStart(sample.job(), List.of(new JobStep.AddFinalizer())))
                .as("nothing was made")
                .isFalse();
        sample.status = TrainingJobStatus.builder().attempt(1).build();
        assertThat(StartPause.isStart(sample.job(), first))
                .as("a later attempt")
                .isFalse();
        sample.status = null;
        sample.priorityClass = "urgent";
        assertThat(StartPause.isStart(sample.job(), first))
                .as("its status tells the planner its priority")
                .isFalse();
    }

    @Test
    void aJobIsToldOnceItsLightBurns() {
        TrainingJob job = sample.job();
        assertThat(left(job, slice(), 0)).as("it did not begin").isZero();
        assertThat(pause.begin(job, BEGUN)).isEqualTo(StartDelay.OF_ONE);
        assertThat(pause.left(job, List.of(), BEGUN))
                .as("no watch shows it yet")
                .isPositive();
        assertThat(left(job, slice(), 10)).isEqualTo(Duration.ofMillis(740));
        assertThat(left(job, slice(PLACED, condition(ConditionType.READY, "False", "Programming")), 100))
                .isEqualTo(Duration.ofMillis(650));
        assertThat(left(job, slice(PLACED, condition(ConditionType.READY, "True", "Satisfied")), 120))
                .isZero();
        assertThat(left(job, slice(), 121)).as("it is over once").isZero();
    }

    /** What the cache shows of others says nothing of their finalizers. */
    @Test
    void onlyAJobThatPausedIsToldOfUnread() {
        TrainingJob job = sample.job();
        assertThat(pause.isOver(job)).as("it did not begin").isFalse();
        pause.begin(job, BEGUN);
        assertThat(left(job, slice(), 10)).isPositive();
        assertThat(pause.isOver(job)).isFalse();
        assertThat(left(job, slice(), 750)).isZero();
        assertThat(pause.isOver(job)).isTrue();
        assertThat(pause.isOver(job)).as("once").isFalse();
        pause.begin(job, BEGUN);
        job.getMetadata().setGeneration(8L);
        assertThat(left(job, slice(), 10)).isZero();
        assertThat(pause.isOver(job)).as("its spec was changed").isFalse();
    }

    @Test
    void whatNobodyAsksForIsForgotten() {
        TrainingJob job = sample.job();
        pause.begin(job, BEGUN);
        assertThat(left(job, slice(), 750)).isZero();
        TrainingJob later = sample.job();
        later.getMetadata().setUid("later");
        pause.begin(later, BEGUN + TimeUnit.MINUTES.toNanos(10));
        assertThat(pause.isOver(job)).isFalse();
        later.getMetadata().setUid("last");
        pause.begin(later, BEGUN + TimeUnit.MINUTES.toNanos(11));
        later.getMetadata().setUid("later");
        assertThat(pause.isOver(later)).as("its turn comes late").isTrue();
    }

    @Test
    void lightThatTakesLongerIsToldOnItsWay() {
        TrainingJob job = sample.job();
        pause.begin(job, BEGUN);
        FabricSlice slow = slice(PLACED, condition(ConditionType.READY, "False", "Qualifying"));
        assertThat(left(job, slow, 749)).isPositive();
        assertThat(left(job, slow, 750)).isZero();
    }

    @Test
    void whatStandsInTheWayIsToldAtOnce() {
        TrainingJob job = sample.job();
        pause.begin(job, BEGUN);
        assertThat(left(job, slice(condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity")), 1))
                .isZero();
        pause.begin(job, BEGUN);
        assertThat(left(job, slice(PLACED, condition(ConditionType.READY, "False", "DriverUnreachable")), 1))
                .isZero();
        pause.begin(job, BEGUN);
        job.getMetadata().setGeneration(2L);
        assertThat(left(job, slice(), 1)).as("its spec was changed").isZero();
        pause.begin(job, BEGUN);
        job.getMetadata().setDeletionTimestamp("2026-05-01T10:00:00Z");
        assertThat(left(job, slice(), 1)).isZero();
    }

    @Test
    void aJobWhosePlaceAnotherIsToHaveSaysSoAtOnce() {
        TrainingJob job = sample.job();
        pause.begin(job, BEGUN);
        FabricSlice slice = slice(PLACED, condition(ConditionType.READY, "False", "Programming"));
        assertThat(left(job, slice, 1)).isPositive();
        slice.setStatus(
                new FabricSliceStatus(1L, slice.getStatus().conditions(), null, null, null, null, 1L, "team-b/urgent"));
        assertThat(left(job, slice, 2)).isZero();
    }

    @Test
    void aPlaceForPodsIsToldAtOnce() {
        TrainingJob job = sample.own().job();
        pause.begin(job, BEGUN);
        assertThat(left(job, slice(), 1)).isPositive();
        assertThat(left(job, slice(PLACED, condition(ConditionType.READY, "False", "Programming")), 1))
                .isZero();
    }

    @Test
    void manyJobsTogetherHaveMoreTimeEach() {
        Duration longest = Duration.ZERO;
        TrainingJob job = sample.job();
        for (int number = 0; number < 300; number++) {
            job.getMetadata().setUid("uid-" + number);
            longest = pause.begin(job, BEGUN + number);
        }
        assertThat(longest).isEqualTo(StartDelay.OF_ONE.multipliedBy(40));
        job.getMetadata().setUid("uid-7");
        assertThat(left(job, slice(), 29_999)).isPositive();
        assertThat(left(job, slice(), 30_001)).isZero();
        job.getMetadata().setUid("late");
        assertThat(pause.begin(job, BEGUN + 41 * StartDelay.OF_ONE.toNanos()))
                .as("those before it are over")
                .isEqualTo(StartDelay.OF_ONE);
    }
}
