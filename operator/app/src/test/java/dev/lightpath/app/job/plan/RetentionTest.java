package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.ConditionType;
import java.time.Duration;
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
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJob());
        sample.deleted = true;
        assertThat(sample.steps()).doesNotContain(new JobStep.DeleteJob());
    }

    @Test
    void aFailedJobGoesToo() {
        sample.lit().ended(false, "MaxRestarts");
        sample.status = sample.told();
        sample.retention = 0;
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJob());
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
