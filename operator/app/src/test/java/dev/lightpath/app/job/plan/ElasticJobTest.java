package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.Replicas;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.JobSetDraft;
import dev.lightpath.app.job.workload.WorkloadReading;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.ScaleUpDemand;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job of two replicas of two nodes each, that does with one. */
class ElasticJobTest {
    private static final JobStep ONE =
            new JobStep.CreateJobSet(SampleJob.JOB_SET, 2, SampleJob.GPU_RESOURCE, OptionalInt.of(1));
    private static final JobStep BOTH =
            new JobStep.CreateJobSet(SampleJob.JOB_SET, 4, SampleJob.GPU_RESOURCE, OptionalInt.of(2));

    private final SampleJob sample = new SampleJob();

    @BeforeEach
    void elastic() {
        sample.least = 1;
        sample.lit().own();
        width(2, Optional.empty());
    }

    @Test
    void itAsksForAllReplicasAndSaysWhatIsEnough() {
        sample.slices.clear();
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.demand())
                                .isEqualTo(new Demand(new ScaleUpDemand(2, 8, 1, 1), null, null)));
        sample.least = 2;
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create ->
                                assertThat(create.demand()).isEqualTo(new Demand(new ScaleUpDemand(2, 8), null, null)));
    }

    @Test
    void itsJobSetHasThePodsOfTheReplicasThatAreRecorded() {
        sample.made(Optional.empty());
        assertThat(sample.steps()).containsExactly(BOTH);
        width(1, Optional.empty());
        assertThat(sample.steps()).containsExactly(ONE);
    }

    @Test
    void theProcessesAreToldTheSizeThatTheyHave() {
        width(1, Optional.empty());
        JobFacts facts = sample.facts();
        JsonNode set = Serialization.unmarshal(
                Serialization.asYaml(JobSetDraft.of(facts.sized(), 2, SampleJob.GPU_RESOURCE)), JsonNode.class);
        String env = set.findValue("containers").path(0).path("env").toString();
        assertThat(env)
                .contains("{\"name\":\"NNODES\",\"value\":\"2\"}")
                .contains("{\"name\":\"WORLD_SIZE\",\"value\":\"8\"}");
        assertThat(WorkloadReading.run(set).made().purpose()).contains("8 GPUs ring-a");
    }

    @Test
    void aJobSetOfAnotherWidthEndsBeforeItsSuccessorIsMade() {
        sample.made(Optional.of(madeFor(2)), SampleJob.running(0), SampleJob.running(1));
        width(1, Optional.empty());
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        sample.made(Optional.empty(), SampleJob.running(1));
        assertThat(sample.steps()).containsExactly(new JobStep.DeletePod("p1"));
        sample.made(Optional.empty());
        assertThat(sample.steps()).containsExactly(ONE);
        sample.made(Optional.of(madeFor(1)));
        assertThat(sample.steps()).isEmpty();
    }

    /** No pod uses its light any more, so the planner may give it more or fewer replicas before its end is told. */
    @Test
    void aJobWhosePodsAreOverIsNotBegunAgain() {
        sample.made(Optional.of(madeFor(2)), over(0), over(1));
        width(1, Optional.empty());
        assertThat(sample.steps()).isEmpty();
        sample.made(Optional.of(madeFor(1)), over(0), over(1));
        width(2, Optional.empty());
        assertThat(sample.steps()).isEmpty();
    }

    /** Else a job that fails, shrinks and grows by turns would never have failed. */
    @Test
    void restartsAreCountedFromOneJobSetToTheNext() {
        sample.made(Optional.of(madeFor(2)), SampleJob.gated(0));
        restarted(2);
        width(1, Optional.empty());
        assertThat(sample.steps()).as("the count is not told yet").isEmpty();
        sample.status = sample.told();
        assertThat(sample.status.restarts()).isEqualTo(2);
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.made(Optional.empty());
        assertThat(sample.told().restarts()).isEqualTo(2);
        JsonNode set = jobSet();
        assertThat(set.at("/spec/failurePolicy/maxRestarts").asInt()).isEqualTo(1);
        ((com.fasterxml.jackson.databind.node.ObjectNode) set)
                .putObject("status")
                .put("restarts", 1);
        assertThat(WorkloadReading.run(set).restarts()).isEqualTo(3);
    }

    @Test
    void aJobThatLostItsPlaceHasAllItsRestartsAgain() {
        sample.made(Optional.empty());
        restarted(2);
        sample.status = sample.told();
        sample.made(Optional.empty());
        sample.slices.clear();
        sample.suspend = true;
        assertThat(sample.told().restarts()).isNull();
    }

    private JsonNode jobSet() {
        return Serialization.unmarshal(
                Serialization.asYaml(JobSetDraft.of(sample.facts().sized(), 2, SampleJob.GPU_RESOURCE)),
                JsonNode.class);
    }

    /** Its JobSet has counted so many restarts. */
    private void restarted(int times) {
        WorkloadFacts.Own own = (WorkloadFacts.Own) sample.workload;
        sample.workload = new WorkloadFacts.Own(
                own.name(),
                Optional.of(SampleRun.running()
                        .made(own.run().map(WorkloadFacts.Run::made).orElseGet(Made::unknown))
                        .restarts(times)
                        .run()),
                own.pods(),
                Optional.empty());
    }

    private static PodFacts over(int rank) {
        PodFacts was = SampleJob.running(rank);
        return new PodFacts(
                was.name(),
                was.rank(),
                was.node(),
                false,
                PodFacts.Phase.ENDED,
                false,
                false,
                Optional.empty(),
                was.light());
    }

    @Test
    void runningPodsGoOnThoughThereIsRoomForMore() {
        width(1, Optional.of(Outlook.WIDER));
        sample.made(Optional.of(madeFor(1)), SampleJob.running(0), SampleJob.running(1));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True FewerReplicas");
        assertThat(sample.message(ConditionType.PLACED))
                .startsWith("the job has 2 nodes, 1 of 2 replicas; there is room for more, which it gets when its pods"
                        + " next restart");
    }

    @Test
    void atARestartTheGateWaitsUntilThePlannerHasAddedReplicas() {
        sample.made(Optional.of(madeFor(1)), SampleJob.gated(0), SampleJob.gated(1));
        width(1, Optional.of(Outlook.WIDER));
        assertThat(sample.steps()).isEmpty();
        width(1, Optional.empty());
        assertThat(sample.steps())
                .as("there is no room any more")
                .hasSize(2)
                .allMatch(JobStep.Ungate.class::isInstance);
        width(2, Optional.empty());
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
    }

    @Test
    void itsStatusCountsWhatItHas() {
        width(1, Optional.empty());
        TrainingJobStatus told = sample.told();
        assertThat(told.width()).isEqualTo(new JobWidth(1, 2));
        assertThat(told.gpus()).isEqualTo(8);
        assertThat(told.nodes()).isEqualTo(2);
        sample.least = null;
        sample.slices.clear();
        assertThat(sample.lit().told().width()).isNull();
    }

    @Test
    void itsWidthOutlivesItsRecordAsLongAsItHasPods() {
        width(1, Optional.empty());
        sample.made(Optional.of(madeFor(1)));
        TrainingJobStatus told = sample.told();
        sample.slices.clear();
        sample.waiting();
        assertThat(sample.told().width()).as("its status was lost too").isEqualTo(new JobWidth(1, 2));
        sample.status = told;
        sample.made(Optional.of(madeFor(2)));
        assertThat(sample.told().width()).as("its next JobSet is not made yet").isEqualTo(new JobWidth(1, 2));
        sample.made(Optional.empty());
        assertThat(sample.told().width()).isNull();
    }

    @Test
    void whoWatchesHearsThatItShrankAndThatItGrew() {
        TrainingJobStatus both = sample.told();
        width(1, Optional.empty());
        TrainingJobStatus one = sample.told();
        assertThat(JobEvents.between(both, one))
                .extracting(ObjectEvent::reason)
                .contains(EventReason.SHRUNK)
                .doesNotContain(EventReason.REPAIRED);
        assertThat(JobEvents.between(one, both)).extracting(ObjectEvent::reason).contains(EventReason.GROWN);
        assertThat(JobEvents.between(one, one)).isEmpty();
    }

    @Test
    void aJobInAQueueIsRefused() {
        sample.slices.clear();
        sample.queued = true;
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False NotSupported");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .isEqualTo(
                        "spec.parallelism.minimumData: a job in a queue (label kueue.x-k8s.io/queue-name) has the quota"
                                + " of all its replicas: omit minimumData or the label");
    }

    @Test
    void aReplicaOfHalfANodeIsRefused() {
        sample.slices.clear();
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 16, Optional.empty()));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidParallelism");
        assertThat(sample.message(ConditionType.ACCEPTED)).contains("a replica has 8 GPUs, and nodes");
    }

    /** The slice with so many replicas recorded. */
    private void width(int replicas, Optional<Outlook> outlook) {
        sample.slices.clear();
        sample.lit();
        SliceFacts all = sample.slices.removeLast();
        Allocation record = all.allocation().orElseThrow();
        sample.slices.add(SampleSlice.like(all, all.fabric(), new Demand(new ScaleUpDemand(2, 8, 1, 1), null, null))
                .recorded(SampleJob.narrowed(record, replicas))
                .expecting(outlook)
                .facts());
    }

    private Made madeFor(int replicas) {
        return Made.of(Replicas.sized(sample.job(), OptionalInt.of(replicas)));
    }
}
