package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.job.ModelPreset;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.reading.JobDemand;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job of two replicas of one stage on two nodes, whose circuits follow its traffic, and that does with one. */
class ElasticOnSwitchesTest {
    private final SampleJob sample = new SampleJob();

    @BeforeEach
    void elastic() {
        sample.onSwitches = true;
        sample.least = 1;
        sample.fabric = Optional.of(SampleFabric.switches("spine", 400, "a", "b"));
        sample.own();
    }

    @Test
    void itAsksForAllReplicasAndSaysWhatIsEnough() {
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.demand().scaleOut().parallelism())
                                .isEqualTo(sample.job().getSpec().parallelism()));
    }

    @Test
    void itsJobSetHasThePodsOfTheReplicasThatAreRecorded() {
        sample.made(Optional.empty());
        record(2, Optional.empty());
        assertThat(sample.steps())
                .containsExactly(
                        new JobStep.CreateJobSet(SampleJob.JOB_SET, 4, SampleJob.GPU_RESOURCE, OptionalInt.of(2)));
        record(1, Optional.empty());
        assertThat(sample.steps())
                .containsExactly(
                        new JobStep.CreateJobSet(SampleJob.JOB_SET, 2, SampleJob.GPU_RESOURCE, OptionalInt.of(1)));
        TrainingJobStatus told = sample.told();
        assertThat(told.width()).isEqualTo(new JobWidth(1, 2));
        assertThat(told.gpus()).isEqualTo(8);
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True FewerReplicas");
    }

    /** A stage with the experts of two data-parallel ranks is a replica of both. */
    @Test
    void replicasThatShareExpertsComeAndGoTogether() {
        sample.preset = ModelPreset.MIXTRAL_8X22B;
        sample.expert = 16;
        sample.data = 4;
        sample.least = 2;
        record(1, Optional.empty());
        assertThat(sample.facts().replicas()).hasValue(2);
        assertThat(sample.facts().sized().getSpec().parallelism().gpus()).isEqualTo(16);
        sample.slices.clear();
        sample.least = 3;
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidParallelism");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .isEqualTo(
                        "spec.parallelism.minimumData: 3, allowed: a multiple of 2, the data-parallel ranks inside an"
                                + " expert group");
    }

    /** The job may be changed until it is told that it is placed, also to what no fabric serves. */
    @Test
    void howManyItHasIsReadOffWhatItsSliceWasMadeFor() {
        sample.preset = ModelPreset.MIXTRAL_8X22B;
        sample.expert = 16;
        sample.data = 4;
        sample.least = 2;
        record(1, Optional.empty());
        sample.data = 5;
        assertThat(sample.facts().replicas()).hasValue(2);
        assertThat(sample.told().gpus()).isNotNull();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidParallelism");
        sample.steps();
    }

    @Test
    void aSliceMadeForNonsenseTellsNoNumber() {
        sample.preset = ModelPreset.MIXTRAL_8X22B;
        sample.expert = 16;
        sample.data = 5;
        sample.least = 2;
        record(1, Optional.empty());
        assertThat(sample.facts().replicas()).isEmpty();
        sample.steps();
    }

    @Test
    void atARestartTheGateWaitsUntilThePlannerHasAddedReplicas() {
        record(1, Optional.of(Outlook.WIDER));
        sample.made(Optional.of(Made.of(sample.facts().sized())), SampleJob.gated(0), SampleJob.gated(1));
        assertThat(sample.steps()).isEmpty();
        record(1, Optional.empty());
        assertThat(sample.steps()).hasSize(2).allMatch(JobStep.Ungate.class::isInstance);
        record(2, Optional.empty());
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
    }

    /** The slice with so many stages recorded. */
    private void record(int stages, Optional<Outlook> outlook) {
        sample.slices.clear();
        sample.lit();
        SliceFacts all = sample.slices.removeLast();
        Allocation record = all.allocation().orElseThrow();
        sample.slices.add(SampleSlice.like(
                        all,
                        "spine",
                        JobDemand.scaleOut(
                                sample.job().getSpec(), sample.job().getSpec().scaleOut(), null))
                .recorded(SampleJob.narrowed(record, stages))
                .expecting(outlook)
                .facts());
    }
}
