package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJobStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DueTest {
    private static final Duration USUAL = Duration.ofMinutes(10);

    private final SampleJob sample = new SampleJob();

    @Test
    void aDeadlineCountsFromTheFirstWordsOfAJobThatTellItsPlace() {
        sample.lit();
        sample.deadline = 60;
        TrainingJobStatus told = sample.told();
        assertThat(sample.status).as("nothing was told before").isNull();
        assertThat(Due.in(sample.job(), told, SampleJob.NOW, USUAL)).isEqualTo(Duration.ofSeconds(60));
        assertThat(Due.in(sample.job(), told, SampleJob.NOW, Duration.ofSeconds(3)))
                .as("it is looked at sooner")
                .isEqualTo(Duration.ofSeconds(3));
        sample.deadline = null;
        assertThat(Due.in(sample.job(), told, SampleJob.NOW, USUAL)).isEqualTo(USUAL);
    }

    @Test
    void retentionCountsFromTheStatusThatTellsTheEnd() {
        sample.lit().ended(true, "Completed");
        sample.retention = 5;
        assertThat(Due.in(sample.job(), sample.told(), SampleJob.NOW, USUAL)).isEqualTo(Duration.ofSeconds(5));
    }
}
