package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EldersTest {
    @Test
    void aWorkloadBelongsToTheOldestJobThatRefersToIt() {
        TrainingJob first = job("b", "09", "JobSet", "mine");
        TrainingJob second = job("a", "10", "JobSet", "mine");
        TrainingJob third = job("c", "10", "JobSet", "mine");
        assertThat(Elders.of(first, Stream.of(first, second, third))).isEmpty();
        assertThat(Elders.of(second, Stream.of(third, second, first))).contains("b");
        assertThat(Elders.of(third, Stream.of(third, second))).contains("a");
    }

    @Test
    void aTrainJobAndItsJobSetAreOneWorkload() {
        TrainingJob first =
                read("first", "09", "{ref: {apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: mine}}");
        TrainingJob second =
                read("second", "10", "{ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: mine}}");
        assertThat(Elders.of(second, Stream.of(first, second))).contains("first");
    }

    /** Both may be made within a second. */
    @Test
    void aJobThatHadLightGoesBeforeOneOfTheSameAge() {
        TrainingJob later = job("a", "10", "JobSet", "mine");
        TrainingJob served = job("b", "10", "JobSet", "mine");
        assertThat(Elders.of(served, Stream.of(later, served)))
                .as("neither had any")
                .contains("a");
        served.setStatus(Serialization.unmarshal("attempt: 1", TrainingJobStatus.class));
        assertThat(Elders.of(served, Stream.of(later, served))).isEmpty();
        assertThat(Elders.of(later, Stream.of(later, served))).contains("b");
    }

    @Test
    void othersDoNotMatter() {
        TrainingJob late = job("late", "10", "JobSet", "mine");
        assertThat(Elders.of(
                        late, Stream.of(job("a", "09", "Job", "mine"), job("b", "09", "JobSet", "yours"), template())))
                .isEmpty();
        assertThat(Elders.of(template(), Stream.of(template(), late))).isEmpty();
    }

    private static TrainingJob job(String name, String hour, String kind, String workload) {
        return read(name, hour, "{ref: {apiVersion: a/v1, kind: " + kind + ", name: " + workload + "}}");
    }

    private static TrainingJob template() {
        return read("template", "08", "{template: {spec: {}}}");
    }

    private static TrainingJob read(String name, String hour, String workload) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: team-a, creationTimestamp: "2026-05-01T%s:00:00Z"}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}, workload: %s}
                """.formatted(name, hour, workload), TrainingJob.class);
    }
}
