package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.measured.SpeedFitting;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Outlook;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What watches show may be late: by that alone no job loses its place. */
class FirstStatusTest {
    private final SampleJob sample = new SampleJob();

    private Optional<TrainingJobStatus> first(SliceFacts slice) {
        sample.slices.clear();
        sample.slices.add(slice);
        return JobReport.ofShown(sample.facts(), SpeedFitting.NONE);
    }

    private SliceFacts placed() {
        sample.slices.clear();
        return sample.lit().slices.getFirst();
    }

    @Test
    void aJobThatHasItsLightIsToldOf() {
        assertThat(first(placed()))
                .hasValueSatisfying(told -> assertThat(told.attempt()).isEqualTo(1));
    }

    @Test
    void whatIsToBeDoneIsDoneFirst() {
        sample.finalizer = false;
        assertThat(first(placed())).isEmpty();
    }

    @Test
    void anotherPlaceIsNotAskedForByWhatIsShown() {
        SliceFacts degraded = SampleJob.slice(
                1,
                Optional.of(SampleJob.allocation()),
                condition(ConditionType.ALLOCATED, "True", "Satisfied"),
                condition(ConditionType.READY, "False", "Degraded"));
        assertThat(first(degraded)).isPresent();
        assertThat(first(SampleJob.expecting(Outlook.ELSEWHERE, degraded))).isEmpty();
    }

    @Test
    void noPlaceIsGivenUpForAnotherJobByWhatIsShown() {
        assertThat(first(SampleSlice.like(placed()).preemptedBy("team-b/urgent").facts()))
                .isEmpty();
    }
}
