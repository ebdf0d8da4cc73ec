package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.crds.ConditionType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code ttlSecondsAfterFinished}, as users of Jobs know it. */
class RetentionTest {
    private final SampleJob sample = new SampleJob();

    @Test
    void anEndedJobIsDeletedOnceItsTimeIsOver() {
        sample.lit().ended(true, "Completed");
        sample.status = sample.told();
        assertThat(sample.says(ConditionType.COMPLETE)).isEqualTo("True JobCompleted");
        sample.retention = 60;
        assertThat(Retention.left(sample.job(), SampleJob.NOW)).contains(Duration.ofSeconds(60));
        assertThat(Retention.left(sample.job(), SampleJob.NOW.plusSeconds(61))).contains(Duration.ZERO);
        assertThat(sample.steps()).doesNotContain(new JobStep.DeleteJob());
        sample.retention = 0;
        assertThat(sample.steps()).endsWith(new JobStep.DeleteJob());
        sample.deleted = true;
        assertThat(sample.steps()).doesNotContain(new JobStep.DeleteJob());
    }

    @Test
    void aJobWhoseDeletionIsRefusedIsCaredForAndSaysSo() {
        sample.lit().ended(true, "Completed");
        sample.status = sample.told();
        sample.slices.set(
                0, SampleSlice.like(sample.slices.getFirst()).unlabelled().facts());
        List<JobStep> usual = sample.steps();
        sample.retention = 0;
        List<JobStep> steps = sample.steps();
        assertThat(usual).isNotEmpty().doesNotContain(new JobStep.DeleteJob());
        assertThat(steps).startsWith(usual.toArray(JobStep[]::new)).endsWith(new JobStep.DeleteJob());
        var refusal = new StepsTaken.Refusal(new JobStep.DeleteJob(), "jobs of a run stay for a year", false);
        sample.status = JobReport.of(sample.facts(), usual, Optional.of(refusal));
        assertThat(sample.status.conditions())
                .filteredOn(condition -> condition.getType().equals(ConditionType.READY.word()))
                .singleElement()
                .satisfies(ready -> assertThat(ready.getMessage())
                        .contains("the job cannot be deleted, though spec.ttlSecondsAfterFinished is over:"
                                + " jobs of a run stay for a year; it is tried again"));
        assertThat(sample.says(ConditionType.COMPLETE)).isEqualTo("True JobCompleted");
        assertThat(sample.steps()).endsWith(new JobStep.DeleteJob());
    }

    @Test
    void aFailedJobGoesToo() {
        sample.lit().ended(false, "MaxRestarts");
        sample.status = sample.told();
        sample.retention = 0;
        assertThat(sample.steps()).endsWith(new JobStep.DeleteJob());
    }

    @Test
    void aJobThatHasNotEndedStays() {
        sample.lit().own();
        sample.status = sample.told();
        sample.retention = 0;
        assertThat(sample.steps()).doesNotContain(new JobStep.DeleteJob());
        sample.retention = null;
        sample.ended(true, "Completed");
        sample.status = sample.told();
        assertThat(sample.steps()).as("it stays unless it says otherwise").doesNotContain(new JobStep.DeleteJob());
    }
}
