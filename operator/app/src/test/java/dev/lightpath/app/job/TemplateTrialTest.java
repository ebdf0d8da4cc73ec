package dev.lightpath.app.job;

import static dev.lightpath.app.job.SampleJob.condition;
import static dev.lightpath.app.job.SampleJob.gated;
import static dev.lightpath.app.job.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Templates that are edited while their job waits for room. */
class TemplateTrialTest {
    private final SampleJob sample = new SampleJob();

    @Test
    void isDueOnceForEachChangeOfAJobThatWaits() {
        assertThat(isDue()).as("no slice yet").isTrue();
        sample.waiting(condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        assertThat(isDue()).as("never told").isTrue();
        sample.status = told(6, condition(ConditionType.ACCEPTED, "True", "Satisfied"));
        assertThat(isDue()).as("the job was changed").isTrue();
        sample.status = told(7, condition(ConditionType.ACCEPTED, "True", "Satisfied"));
        assertThat(isDue()).isFalse();
        sample.status = told(7, condition(ConditionType.ACCEPTED, "False", "InvalidTemplate"));
        assertThat(isDue()).as("it was refused").isTrue();
        sample.slices.clear();
        sample.placed().status = told(7, condition(ConditionType.ACCEPTED, "True", "Satisfied"));
        assertThat(isDue()).as("its JobSet is next").isTrue();
    }

    private boolean isDue() {
        return TemplateTrial.isDue(sample.job(), sample.facts().slices());
    }

    private static TrainingJobStatus told(long generation, Condition... conditions) {
        for (Condition condition : conditions) {
            condition.setLastTransitionTime(SampleJob.NOW.toString());
        }
        return new TrainingJobStatus(generation, List.of(conditions), 16, 4, 1, List.of(), null, null);
    }

    /** Placed, its workload could not be changed any more. */
    @Test
    void aJobWhoseTemplateIsRefusedDoesNotKeepAPlaceThatItWasJustGiven() {
        sample.lit().own();
        refused();
        sample.status = told(7, condition(ConditionType.PLACED, "False", "InsufficientCapacity"));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.told().attempt()).isEqualTo(2);
        assertThat(sample.says(ConditionType.PLACED)).startsWith("Unknown");
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        sample.status = sample.told();
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.told().attempt()).isEqualTo(2);
        assertThat(sample.told().slices()).isEmpty();
    }

    @Test
    void aJobThatWasPlacedOrHasPodsKeepsWhatItHas() {
        sample.lit().own();
        refused();
        sample.status = told(7, condition(ConditionType.PLACED, "True", "Satisfied"));
        assertThat(sample.told().attempt()).isEqualTo(1);
        sample.status = told(7, condition(ConditionType.PLACED, "False", "InvalidWiring"));
        refused(running(0));
        assertThat(sample.told().attempt()).isEqualTo(1);
        refused(gated(0));
        assertThat(sample.told().attempt()).as("they never ran").isEqualTo(2);
    }

    private void refused(PodFacts... pods) {
        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET, Optional.empty(), List.of(pods), Optional.of("containers: Required value"));
    }
}
