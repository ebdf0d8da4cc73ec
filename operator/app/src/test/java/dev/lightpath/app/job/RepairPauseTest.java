package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.SliceReference;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RepairPauseTest {
    private static final long SEEN = 77;

    private final SampleJob sample = new SampleJob();
    private final RepairPause pause = new RepairPause();

    @BeforeEach
    void runs() {
        sample.lit();
        sample.status = sample.told();
    }

    private static FabricSlice slice(long revision, @Nullable String deleted) {
        Allocation known = SampleJob.allocation();
        return slice(
                SampleJob.SLICE,
                new Allocation(1, revision, null, known.groups(), known.circuits(), null),
                deleted,
                false);
    }

    private static FabricSlice slice(String name, Allocation recorded, @Nullable String deleted, boolean ready) {
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withDeletionTimestamp(deleted)
                .build());
        slice.setStatus(new FabricSliceStatus(
                1L,
                List.of(SampleJob.condition(ConditionType.READY, ready ? "True" : "False", "Reason")),
                recorded,
                null));
        return slice;
    }

    private Duration left(TrainingJob job, FabricSlice slice, long afterMillis) {
        return pause.left(job, List.of(slice), SEEN + TimeUnit.MILLISECONDS.toNanos(afterMillis));
    }

    @Test
    void aRepairIsToldAQuarterSecondAfterItWasSeen() {
        FabricSlice repaired = slice(2, null);
        assertThat(left(sample.job(), repaired, 0)).isEqualTo(Duration.ofMillis(250));
        assertThat(left(sample.job(), repaired, 100)).isEqualTo(Duration.ofMillis(150));
        assertThat(left(sample.job(), repaired, 250)).isZero();
    }

    @Test
    void manyRepairsTogetherHaveMoreTimeEach() {
        TrainingJob job = sample.job();
        for (int number = 0; number < 100; number++) {
            job.getMetadata().setUid("uid-" + number);
            assertThat(left(job, slice(2, null), 0)).isBetween(Duration.ofMillis(250), Duration.ofSeconds(4));
        }
        assertThat(left(job, slice(2, null), 3999)).isPositive();
        assertThat(left(job, slice(2, null), 4000)).isZero();
    }

    /** A second after its record changed they have read it. */
    @Test
    void podsOfManyRepairedJobsAreToldOfTheirLightWithinASecond() {
        TrainingJob job = sample.own().job();
        for (int number = 0; number < 100; number++) {
            job.getMetadata().setUid("uid-" + number);
            assertThat(left(job, slice(2, null), 0)).isBetween(Duration.ofMillis(250), Duration.ofMillis(750));
        }
        assertThat(left(job, slice(2, null), 750)).isZero();
    }

    @Test
    void manyRepairsLengthenThePauseOfNoneThatComesMuchLater() {
        TrainingJob job = sample.job();
        for (int number = 0; number < 100; number++) {
            job.getMetadata().setUid("uid-" + number);
            assertThat(left(job, slice(2, null), 0)).isPositive();
        }
        job.getMetadata().setUid("later");
        assertThat(left(job, slice(2, null), 30_000)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void repairsOneAfterTheOtherAreToldEachInTime() {
        assertThat(left(sample.job(), slice(2, null), 0)).isPositive();
        assertThat(left(sample.job(), slice(3, null), 200)).isEqualTo(Duration.ofMillis(50));
        assertThat(left(sample.job(), slice(3, null), 260)).isZero();
        told(3L);
        assertThat(left(sample.job(), slice(3, null), 300)).isZero();
        assertThat(left(sample.job(), slice(4, null), 300)).isEqualTo(Duration.ofMillis(250));
    }

    /**
     * What was told is written again later and later while the API server refuses it; and the cache shows late what was
     * written.
     */
    @Test
    void whoHasToTryAgainIsNotHeldUpAnew() {
        assertThat(left(sample.job(), slice(2, null), 0)).isPositive();
        assertThat(left(sample.job(), slice(2, null), 250)).isZero();
        assertThat(left(sample.job(), slice(2, null), 260)).isZero();
        assertThat(left(sample.job(), slice(3, null), 900)).isZero();
    }

    /** Another told revision of the same slice; null where none was. */
    private void told(@Nullable Long revision) {
        sample.status = Objects.requireNonNull(sample.status)
                .edit()
                .slices(List.of(new SliceReference(SampleJob.SLICE, "ring-a", revision)))
                .build();
    }

    @Test
    void lightThatIsGivenUpIsToldAtOnce() {
        Allocation nothing = new Allocation(1, 2, null, List.of(), List.of(), null);
        assertThat(left(sample.job(), slice(SampleJob.SLICE, nothing, null, true), 0))
                .isZero();
    }

    @Test
    void aFirstRecordIsToldAtOnce() {
        told(null);
        assertThat(left(sample.job(), slice(1, null), 0)).isZero();
    }

    @Test
    void whatAnotherSliceLosesIsToldAtOnce() {
        FabricSlice repaired = slice(2, null);
        FabricSlice well = slice("other", SampleJob.allocation(), null, true);
        FabricSlice dark = slice("other", SampleJob.allocation(), null, false);
        assertThat(pause.left(sample.job(), List.of(repaired, well), SEEN)).isPositive();
        assertThat(pause.left(sample.job(), List.of(repaired, dark), SEEN)).isZero();
    }

    @Test
    void whatWasToldNeedsNoPause() {
        assertThat(left(sample.job(), slice(1, null), 0)).isZero();
    }

    @Test
    void aJobThatIsNotReadyIsToldAtOnce() {
        sample.slices.clear();
        sample.placed();
        sample.status = sample.told();
        assertThat(left(sample.job(), slice(2, null), 0)).isZero();
    }

    @Test
    void aNewSpecIsAnsweredAtOnce() {
        TrainingJob changed = sample.job();
        changed.getMetadata().setGeneration(8L);
        assertThat(left(changed, slice(2, null), 0)).isZero();
    }

    @Test
    void whatIsDeletedIsAnsweredAtOnce() {
        sample.deleted = true;
        assertThat(left(sample.job(), slice(2, null), 0)).isZero();
        sample.deleted = false;
        assertThat(left(sample.job(), slice(2, "2026-05-01T10:00:00Z"), 0)).isZero();
    }
}
