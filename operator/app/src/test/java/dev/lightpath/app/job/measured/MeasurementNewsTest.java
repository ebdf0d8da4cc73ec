package dev.lightpath.app.job.measured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.measurement.MeasuredCircuits;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.crds.job.measurement.ToldBy;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementNewsTest {
    private final SampleJob sample = new SampleJob();
    private TrainingJobStatus.Builder status =
            TrainingJobStatus.builder().prediction(new Prediction("0.8", "0.7", "1.2", 6, 8, false, "0.7"));

    private TrainingJob job() {
        sample.scaleOut = true;
        sample.status = status.build();
        return sample.job();
    }

    private boolean isNews(String seconds) {
        return MeasurementNews.of(job(), new QueriedTime("spine", seconds));
    }

    private void knows(String... seconds) {
        status = status.measurement(new Measurement(
                "0.9",
                "1.1",
                null,
                null,
                "digest",
                seconds[seconds.length - 1],
                ToldBy.PROMETHEUS,
                List.of(new MeasuredCircuits(List.of(1), List.of(seconds)))));
    }

    private void refused(String value) {
        status = status.conditions(List.of(new ConditionBuilder()
                .withType("Measured")
                .withStatus("False")
                .withReason("InvalidMeasurement")
                .withMessage("the query tells '" + value + "', allowed: seconds")
                .build()));
    }

    @Test
    void aJobOfWhichLittleIsKnownIsRead() {
        assertThat(isNews("0.9")).isTrue();
        knows("0.9", "0.91");
        assertThat(isNews("0.92")).isTrue();
        assertThat(isNews("0.91")).as("it counts once").isFalse();
    }

    @Test
    void aValueThatIsNearWhatIsKnownIsNone() {
        knows("0.9", "0.91", "0.92");
        assertThat(isNews("0.93")).isFalse();
        assertThat(isNews("1.2")).isTrue();
        assertThat(isNews("NaN")).isTrue();
    }

    @Test
    void nonsenseIsToldOnceAndWhatFollowsItIsRead() {
        knows("0.9", "0.91", "0.92");
        refused("NaN");
        assertThat(isNews("NaN")).isFalse();
        assertThat(isNews("0.91")).isTrue();
    }

    @Test
    void othersAreNotRead() {
        assertThat(MeasurementNews.of(job(), new QueriedTime("another", "0.9"))).isFalse();
        TrainingJob annotated = job();
        annotated.getMetadata().setAnnotations(Map.of(LightpathAnnotations.ITERATION_SECONDS, "0.5"));
        assertThat(MeasurementNews.of(annotated, new QueriedTime("spine", "0.9")))
                .isFalse();
        status = TrainingJobStatus.builder();
        assertThat(isNews("0.9")).as("it has no place").isFalse();
    }
}
