package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReferenceHolderTest {
    private final Set<String> withSlices = new HashSet<>();

    @Test
    void aWorkloadBelongsToTheOldestJobThatRefersToIt() {
        TrainingJob first = job("b", "09", "JobSet", "mine");
        TrainingJob second = job("a", "10", "JobSet", "mine");
        TrainingJob third = job("c", "10", "JobSet", "mine");
        assertThat(elder(first, first, second, third)).isEmpty();
        assertThat(elder(second, third, second, first)).contains("b");
        assertThat(elder(third, third, second)).contains("a");
    }

    @Test
    void aTrainJobAndItsJobSetAreOneWorkload() {
        TrainingJob first =
                read("first", "09", "{ref: {apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: mine}}");
        TrainingJob second =
                read("second", "10", "{ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: mine}}");
        assertThat(elder(second, first, second)).contains("first");
    }

    /** Both may be made within a second, and the first that is seen has slices for a while before it has a status. */
    @Test
    void aJobThatHasSlicesGoesBeforeOneThatHasNone() {
        TrainingJob later = job("a", "10", "JobSet", "mine");
        TrainingJob served = job("b", "10", "JobSet", "mine");
        assertThat(elder(served, later, served)).as("neither has any").contains("a");
        withSlices.add("b");
        assertThat(elder(served, later, served)).isEmpty();
        assertThat(elder(later, later, served)).contains("b");
    }

    /** What it refers to cannot be changed any more. */
    @Test
    void aJobThatHasItsPlaceGoesBeforeAnOlderOneThatHasSlices() {
        TrainingJob older = job("a", "09", "JobSet", "mine");
        TrainingJob placed = job("b", "10", "JobSet", "mine");
        older.setStatus(placed("False"));
        placed.setStatus(placed("True"));
        withSlices.addAll(List.of("a", "b"));
        assertThat(elder(placed, older, placed)).isEmpty();
        assertThat(elder(older, older, placed)).contains("b");
    }

    /** It gave its light back, and was told of another workload since. */
    @Test
    void anAttemptOfBeforeGivesNoRight() {
        TrainingJob older = job("a", "09", "JobSet", "mine");
        TrainingJob changed = job("b", "10", "JobSet", "mine");
        changed.setStatus(placed("False"));
        assertThat(elder(older, older, changed)).isEmpty();
        assertThat(elder(changed, older, changed)).contains("a");
    }

    /** The cache may show its status of before. */
    @Test
    void noJobIsBeforeItself() {
        TrainingJob cached = job("a", "09", "JobSet", "mine");
        cached.setStatus(placed("True"));
        assertThat(elder(job("a", "09", "JobSet", "mine"), cached)).isEmpty();
    }

    @Test
    void othersDoNotMatter() {
        TrainingJob late = job("late", "10", "JobSet", "mine");
        assertThat(elder(late, job("a", "09", "Job", "mine"), job("b", "09", "JobSet", "yours"), template()))
                .isEmpty();
        assertThat(elder(template(), template(), late)).isEmpty();
    }

    private Optional<String> elder(TrainingJob job, TrainingJob... namespace) {
        return ReferenceHolder.of(
                job,
                Stream.of(namespace),
                other -> withSlices.contains(other.getMetadata().getName()));
    }

    private static TrainingJobStatus placed(String status) {
        return Serialization.unmarshal(
                "attempt: 1\nconditions: [{type: Placed, status: '" + status + "'}]", TrainingJobStatus.class);
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
