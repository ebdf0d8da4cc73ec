package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.JobSetDraft;
import dev.lightpath.app.job.workload.WorkloadReading;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Jobs in queues, and the JobSets of ours that follow what their jobs say. */
class JobSetRenewalTest {
    private final SampleJob sample = new SampleJob();

    @Test
    void aQueuedJobMakesItsPodsFirstAndIsPlacedOnceItsQueueLetsThemRun() {
        sample.queued = true;
        sample.own();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        assertThat(sample.steps())
                .containsExactly(new JobStep.CreateJobSet(SampleJob.JOB_SET, 4, SampleJob.GPU_RESOURCE));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");

        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(SampleRun.running().suspended(true).run()),
                List.of(),
                Optional.empty());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False WaitingForQuota");
        assertThat(sample.message(ConditionType.ACCEPTED)).contains("queue research");
        assertThat(sample.says(ConditionType.STALLED)).startsWith("False");

        sample.own();
        assertThat(sample.steps()).singleElement().isInstanceOf(JobStep.CreateSlice.class);
    }

    /** Each replica has pods of the fabric, and so nodes, of its own. */
    @Test
    void aQueuedJobOnSwitchesMakesAsManyPodsAsItWillHaveNodes() {
        sample.queued = true;
        sample.onSwitches = true;
        sample.tensor = 2;
        sample.fabric = Optional.of(SampleFabric.switches("spine", 400, "a", "b"));
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        assertThat(sample.steps())
                .containsExactly(new JobStep.CreateJobSet(SampleJob.JOB_SET, 2, SampleJob.GPU_RESOURCE));
        assertThat(sample.told().nodes()).isEqualTo(2);
    }

    /**
     * The spec can be changed while a job has no place, as after a person let its slice go: its pods are there already.
     */
    @Test
    void aJobSetOfAnEarlierSpecIsMadeAnew() {
        sample.lit().own();
        sample.workload = madeFor("8 GPUs ring-a", false);
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = madeFor("16 GPUs ring-b", false);
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(SampleRun.running()
                        .deleting(true)
                        .made(purpose(Optional.of("8 GPUs ring-a")))
                        .run()),
                List.of(),
                Optional.empty());
        assertThat(sample.steps()).as("it goes").isEmpty();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        assertThat(sample.steps())
                .containsExactly(new JobStep.CreateJobSet(SampleJob.JOB_SET, 4, SampleJob.GPU_RESOURCE));
    }

    /** Whatever somebody added to it, and whatever became of fabric and queue since. */
    @Test
    void aJobSetOfThisSpecOrOfAnOlderVersionStays() {
        sample.lit().own();
        String purpose = Made.purpose(sample.job().getSpec());
        assertThat(purpose).isEqualTo("16 GPUs ring-a");
        for (Optional<String> madeFor : List.of(Optional.of(purpose), Optional.<String>empty())) {
            sample.workload = madeFor(madeFor, false);
            assertThat(sample.steps()).isEmpty();
            Optional<FabricFacts> fabric = sample.fabric;
            sample.fabric = Optional.empty();
            assertThat(sample.steps()).isEmpty();
            sample.fabric = fabric;
        }
    }

    @Test
    void aQueuedJobSetOfAnEarlierSpecIsMadeAnew() {
        sample.queued = true;
        sample.own();
        sample.workload = madeFor("8 GPUs ring-a", true);
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = madeFor("16 GPUs ring-a", true);
        assertThat(sample.steps()).isEmpty();
    }

    /** Until its pods may start, what runs is what is written. */
    @Test
    void aJobSetOfAnotherTemplateIsMadeAnewAsLongAsNoPodWasLetGo() {
        sample.lit().own();
        Made made = Made.of(sample.job());
        sample.template = template("example/train:2");
        PodFacts gated = new PodFacts(
                "p0", OptionalInt.of(0), "", true, PodFacts.Phase.PENDING, false, false, Optional.empty(), "");
        PodFacts free = new PodFacts(
                "p1", OptionalInt.of(1), "", false, PodFacts.Phase.PENDING, false, false, Optional.empty(), "");
        sample.workload = made(made, false, List.of(gated));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = made(made, false, List.of(gated, free));
        assertThat(sample.steps()).doesNotContain(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = made(Made.of(sample.job()), false, List.of(gated));
        assertThat(sample.steps()).doesNotContain(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
    }

    @Test
    void aJobThatIsGivenAnotherQueueWaitsInItAndOneThatIsTakenOutIsPlaced() {
        sample.queued = true;
        sample.own();
        Made elsewhere = new Made(Optional.empty(), Optional.empty(), Optional.of("first"), Optional.empty());
        sample.workload = made(elsewhere, true, List.of());
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = made(elsewhere, false, List.of());
        assertThat(sample.steps()).as("it may run").singleElement().isInstanceOf(JobStep.CreateSlice.class);
        sample.queued = false;
        sample.workload = made(elsewhere, true, List.of());
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        assertThat(sample.steps()).singleElement().isInstanceOf(JobStep.CreateSlice.class);
    }

    /** Kueue reads it off the JobSet. One that was made by an earlier version says no priority, and stays. */
    @Test
    void aJobThatWaitsWithAnotherPriorityThanItsJobSetHasAnother() {
        sample.queued = true;
        sample.own();
        Made now = Made.of(sample.job());
        assertThat(now.priority()).contains("/");
        sample.workload = made(now, true, List.of());
        assertThat(sample.steps()).isEmpty();
        Made urgent = new Made(now.purpose(), now.template(), now.queue(), Optional.of("urgent/"));
        sample.workload = made(urgent, true, List.of());
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.workload = made(urgent, false, List.of());
        assertThat(sample.steps()).as("it may run").doesNotContain(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        Made earlier = new Made(now.purpose(), now.template(), now.queue(), Optional.empty());
        sample.workload = made(earlier, true, List.of());
        assertThat(sample.steps()).isEmpty();
        TrainingJob job = sample.job();
        job.getMetadata().setLabels(Map.of(JobSets.QUEUE_LABEL, "research", "kueue.x-k8s.io/priority-class", "low"));
        assertThat(Made.of(job).priority()).contains("low/");
    }

    /** A queue that somebody's defaults chose is not for us to leave. */
    @Test
    void aJobSetThatOthersPutIntoAQueueStays() {
        sample.own();
        GenericKubernetesResource ours = JobSetDraft.of(sample.job(), 4, SampleJob.GPU_RESOURCE);
        ours.getMetadata().setLabels(Map.of(JobSets.QUEUE_LABEL, "of-their-defaults"));
        WorkloadFacts.Run waiting = read(ours);
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.of(waiting), List.of(), Optional.empty());
        assertThat(sample.steps()).singleElement().isInstanceOf(JobStep.CreateSlice.class);
        sample.lit();
        assertThat(sample.steps()).isEmpty();
    }

    @Test
    void aJobSetSaysWhatItWasMadeForAndFromAndInWhichQueue() {
        sample.own();
        Made alone = Made.of(sample.job());
        assertThat(alone.template())
                .hasValueSatisfying(digest -> assertThat(digest).matches("[0-9a-f]{64}"));
        assertThat(read(JobSetDraft.of(sample.job(), 4, SampleJob.GPU_RESOURCE)).made())
                .isEqualTo(alone)
                .isEqualTo(
                        new Made(Optional.of("16 GPUs ring-a"), alone.template(), Optional.of(""), Optional.empty()));
        sample.queued = true;
        assertThat(read(JobSetDraft.of(sample.job(), 4, SampleJob.GPU_RESOURCE)).made())
                .isEqualTo(Made.of(sample.job()))
                .isEqualTo(new Made(
                        Optional.of("16 GPUs ring-a"), alone.template(), Optional.of("research"), Optional.of("/")));
        assertThat(Made.of(sample.job()).annotations())
                .containsOnlyKeys(
                        "lightpath.dev/made-for",
                        "lightpath.dev/made-from",
                        "lightpath.dev/made-in-queue",
                        "lightpath.dev/made-with-priority");
    }

    /** As the API server has it. */
    private static WorkloadFacts.Run read(GenericKubernetesResource jobSet) {
        return WorkloadReading.run(json(Serialization.asJson(jobSet)));
    }

    @Test
    void theSameTemplateInAnotherOrderIsTheSame() {
        sample.own();
        sample.template = new Workload(json("{\"spec\": {\"a\": 1, \"b\": {\"c\": 2, \"d\": [1, 2]}}}"), null);
        Made made = Made.of(sample.job());
        sample.template = new Workload(json("{\"spec\": {\"b\": {\"d\": [1, 2], \"c\": 2}, \"a\": 1}}"), null);
        assertThat(Made.of(sample.job())).isEqualTo(made);
        sample.template = new Workload(json("{\"spec\": {\"b\": {\"d\": [2, 1], \"c\": 2}, \"a\": 1}}"), null);
        assertThat(Made.of(sample.job())).isNotEqualTo(made);
    }

    private static Workload template(String image) {
        return new Workload(
                json("{\"spec\":{\"containers\":[{\"name\":\"train\",\"image\":\"" + image + "\"}]}}"), null);
    }

    private static JsonNode json(String text) {
        return Serialization.unmarshal(text, JsonNode.class);
    }

    private static Made purpose(Optional<String> purpose) {
        return new Made(purpose, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static WorkloadFacts madeFor(String purpose, boolean suspended) {
        return madeFor(Optional.of(purpose), suspended);
    }

    private static WorkloadFacts madeFor(Optional<String> purpose, boolean suspended) {
        return made(purpose(purpose), suspended, List.of());
    }

    private static WorkloadFacts made(Made made, boolean suspended, List<PodFacts> pods) {
        return new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(SampleRun.running().suspended(suspended).made(made).run()),
                pods,
                Optional.empty());
    }
}
