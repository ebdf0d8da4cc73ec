package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.TrainingJobReconciler;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.kueue.QueuedWorkload;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.reading.SliceIntentReader;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pods of a workload that the operator did not make are a job's ranks. */
class ReferencedWorkloadTest {
    private final SampleJob sample = new SampleJob();

    @Test
    void placesNothingBeforeTheReferencedWorkloadIsThere() {
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, Optional.empty(), List.of());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.message(ConditionType.ACCEPTED)).contains("there is no JobSet mine in namespace team-a");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("True");
        sample.waiting();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        sample.workload = new WorkloadFacts.Referenced(
                "JobSet mine", true, Optional.of(SampleRun.running().run()), List.of());
        assertThat(sample.steps()).hasAtLeastOneElementOfType(JobStep.CreateSlice.class);
    }

    /** Else it would hold its nodes without end: nobody else gives them back. */
    @Test
    void aWorkloadThatWasDeletedGivesItsNodesBackOnceItsPodsEnded() {
        sample.lit().workload =
                new WorkloadFacts.Referenced("JobSet mine", true, Optional.empty(), List.of(running(0)));
        assertThat(sample.steps()).as("a pod runs on").isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).startsWith("True");
        assertThat(isLightWanted()).as("under a pod").isTrue();
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("spec.workload.ref: there is no JobSet mine; its nodes and light go back once its pods have"
                        + " ended; waits for 1 pod to end, first p0");
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, Optional.empty(), List.of());
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WorkloadDeleted");
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False WorkloadDeleted");
        assertThat(sample.says(ConditionType.STALLED)).startsWith("False");
        assertThat(isLightWanted()).as("nobody uses it any more").isFalse();
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        assertNextAttemptWaitsForItsRun();
    }

    /** Both were given light before either was told of; one of them is first since. */
    @Test
    void ofTwoJobsOfOneWorkloadTheOneThatIsNotFirstGivesBackWhatItHas() {
        WorkloadFacts.Referenced mine = new WorkloadFacts.Referenced(
                        "JobSet mine", true, suspendedRun(), List.of(running(0)))
                .taken("it is the workload of TrainingJob other");
        sample.lit().workload = mine;
        assertThat(sample.steps()).as("its pod runs on").isEmpty();
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("it is the workload of TrainingJob other; waits for 1 pod to end, first p0");
        sample.workload = new WorkloadFacts.Referenced(
                        "JobSet mine", true, gatedRun(), List.of(gated(0), gated(1), gated(2), gated(3)))
                .taken("it is the workload of TrainingJob other");
        assertThat(sample.steps()).as("it lets no pod go").isEmpty();
        assertThat(isLightWanted()).isFalse();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WorkloadTaken");
        assertThat(sample.says(ConditionType.STALLED)).startsWith("False");
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        sample.status = TrainingJobStatus.builder().attempt(1).build();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WorkloadTaken");
        assertThat(sample.message(ConditionType.READY)).isEqualTo("it is the workload of TrainingJob other");
        assertThat(sample.says(ConditionType.RECONCILING))
                .as("until that is gone")
                .startsWith("True");
        assertNextAttemptWaitsForItsRun();
    }

    /** What the planner reads from the status that is told. */
    private boolean isLightWanted() {
        TrainingJob job = sample.job();
        job.setStatus(sample.told());
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withNamespace("team-a")
                .withName(SampleJob.SLICE)
                .build());
        slice.setSpec(new FabricSliceSpec(
                "ring-a",
                new JobReference("train", SampleJob.UID, 1),
                0,
                new Demand(new ScaleUpDemand(2, 8), null, null)));
        return SliceIntentReader.read(slice, job, List.of()).orElseThrow().wanted();
    }

    /** Who makes pods that are no object of a kind may end all of them before it makes others. */
    @Test
    void aGroupOfPodsKeepsItsNodesWhileNoneOfThemIsThere() {
        sample.template = new Workload(null, new WorkloadReference("v1", "Pod", "train", List.of()));
        sample.lit().workload = new WorkloadFacts.Referenced("group of pods", true, Optional.empty(), List.of());
        assertThat(sample.says(ConditionType.PLACED)).startsWith("True");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
    }

    @Test
    void judgesAReferencedWorkload() {
        sample.lit().workload = referenced(true, Optional.empty());
        assertThat(sample.message(ConditionType.READY)).contains("there is no JobSet mine");
        sample.workload =
                referenced(true, Optional.of(SampleRun.running().withoutGate().run()));
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False GateMissing");
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True GateMissing");
        assertThat(TrainingJobReconciler.atRest(sample.told()))
                .as("nobody tells of pods that it makes with the gate")
                .isFalse();
        sample.workload = referenced(false, Optional.empty());
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False NotSupported");
    }

    @Test
    void tellsWhereTheWorkloadSaysAnotherSizeThanTheJob() {
        sample.lit().workload = new WorkloadFacts.Referenced(
                "JobSet mine",
                true,
                Optional.of(SampleRun.running().run()),
                List.of(),
                List.of(),
                Optional.empty(),
                false,
                new WorkloadFacts.AskedWorkers(List.of(Serialization.unmarshal(
                        "---\nspec: {containers: [{name: t, args: [--nnodes=9]}]}", JsonNode.class))));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("True TemplateContradicts");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .isEqualTo("JobSet mine is taken as it is: container t runs with --nnodes=9; the job has 4 pods");
    }

    /** Such a set has no field that suspends it. */
    @Test
    void podsThatTheirQueueHoldsBackWaitForQuota() {
        sample.workload = new WorkloadFacts.Referenced(
                "LeaderWorkerSet mine",
                true,
                gatedRun().map(run -> run.held(true, Optional.empty())),
                List.of(gated(0)));
        assertThat(sample.message(ConditionType.ACCEPTED))
                .startsWith("spec.workload.ref: LeaderWorkerSet mine waits for quota in its queue");
    }

    /** After its slices have gone. */
    private void assertNextAttemptWaitsForItsRun() {
        sample.slices.clear();
        sample.status = TrainingJobStatus.builder().attempt(1).build();
        assertThat(sample.steps()).isEmpty();
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, gatedRun(), List.of());
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
    }

    private static WorkloadFacts referenced(boolean supported, Optional<WorkloadFacts.Run> run) {
        return new WorkloadFacts.Referenced("JobSet mine", supported, run, List.of());
    }

    /** Kueue preempts so: what is suspended again makes room for others. */
    @Test
    void aWorkloadThatIsSuspendedAgainGivesItsLightBackOnceItsPodsEnded() {
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, suspendedRun(), List.of());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        sample.lit();
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, suspendedRun(), List.of(running(0)));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("spec.workload.ref: JobSet mine is suspended, as by a queue that has no quota for it;"
                        + " its nodes and light go back once its pods have ended; waits for 1 pod to end, first p0");
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).isEmpty();
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, suspendedRun(), List.of());
        assertThat(sample.steps()).containsExactly(sample.deletion());
        assertNextAttemptWaitsForItsRun();
    }

    /** Its JobSet stays: the queue starts it again. */
    @Test
    void aJobSetOfOursThatIsSuspendedAgainStays() {
        sample.lit().own();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, suspendedRun(), List.of(), Optional.empty());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .startsWith("JobSet " + SampleJob.JOB_SET + " is suspended (its spec.suspend); its nodes");
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
    }

    private static Optional<WorkloadFacts.Run> suspendedRun() {
        return Optional.of(SampleRun.running().suspended(true).run());
    }

    private static Optional<WorkloadFacts.Run> gatedRun() {
        return Optional.of(SampleRun.running().run());
    }

    /**
     * As those of a LeaderWorkerSet that has quota and waits for its light: its queue ends only pods that it let run.
     */
    @Test
    void letsNoPodGoThatItsQueueHoldsBack() {
        WorkloadFacts.Run waits = gatedRun().orElseThrow().held(true, Optional.of(QUEUED));
        sample.lit().workload = new WorkloadFacts.Referenced(
                "LeaderWorkerSet mine",
                true,
                Optional.of(waits),
                List.of(gated(0), gated(1), gated(2), gated(3)),
                List.of(),
                Optional.empty(),
                true,
                WorkloadFacts.AskedWorkers.UNKNOWN);
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("0 of 4 pods run; the pods of LeaderWorkerSet mine still wait behind the gate of their"
                        + " queue");
        sample.workload = new WorkloadFacts.Referenced(
                "LeaderWorkerSet mine",
                true,
                Optional.of(waits.held(false, Optional.empty())),
                List.of(gated(0), gated(1), gated(2), gated(3)),
                List.of(),
                Optional.empty(),
                true,
                WorkloadFacts.AskedWorkers.UNKNOWN);
        assertThat(sample.steps()).hasSize(4).allMatch(JobStep.Ungate.class::isInstance);
    }

    private static final QueuedWorkload QUEUED = QueuedWorkload.read(
            Serialization.unmarshal("""
                    status:
                      conditions: [{type: QuotaReserved, status: "True", lastTransitionTime: "2026-05-01T10:00:00Z"}]
                      admissionChecks: [{name: light, state: Pending}]
                    """, JsonNode.class), Set.of("light"), "lightpath.dev/circuits");

    @Test
    void letsALauncherGoAtOnceAndGivesItNoNode() {
        sample.workload = new WorkloadFacts.Referenced(
                "JobSet mine",
                true,
                gatedRun(),
                List.of(gated(0)),
                List.of("launcher-0"),
                Optional.empty(),
                false,
                WorkloadFacts.AskedWorkers.UNKNOWN);
        assertThat(sample.steps()).contains(new JobStep.Free("launcher-0"));
        sample.lit();
        assertThat(sample.steps())
                .containsExactly(
                        new JobStep.Free("launcher-0"), sample.ungate("p0", new RankedNode("n0", 0, "0"), "0"));
        assertThat(sample.message(ConditionType.READY)).isEqualTo("0 of 4 pods run");
    }

    @Test
    void saysHowManyPodsAWorkloadWithoutIndexesHasToHave() {
        sample.lit().workload = new WorkloadFacts.Referenced(
                "PyTorchJob mine",
                true,
                gatedRun(),
                List.of(unranked("a"), unranked("b")),
                List.of(),
                Optional.empty(),
                true,
                WorkloadFacts.AskedWorkers.UNKNOWN);
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("0 of 4 pods run; 2 pods have no rank: a job of 4 nodes takes exactly as many pods, and none"
                        + " runs before all are there");
    }

    @Test
    void saysWhatToDoAboutOnePodTooManyWhileOthersRun() {
        sample.lit().workload = counted(running(0), running(1), running(2), running(3), unranked("llm-9"));
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo(
                        "4 of 4 pods run; RayCluster mine has 5 pods for 4 nodes: let it make 4, or delete one that has"
                                + " no rank (llm-9)");
        sample.workload = counted(running(0), running(1), running(2), unranked("llm-8"), unranked("llm-9"));
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo(
                        "3 of 4 pods run; RayCluster mine has 5 pods for 4 nodes: let it make 4, or delete one that has"
                                + " no rank (llm-8)");
    }

    private static WorkloadFacts counted(PodFacts... pods) {
        return new WorkloadFacts.Referenced(
                "RayCluster mine",
                true,
                gatedRun(),
                List.of(pods),
                List.of(),
                Optional.empty(),
                true,
                WorkloadFacts.AskedWorkers.UNKNOWN);
    }

    private static PodFacts unranked(String name) {
        return new PodFacts(
                name, OptionalInt.empty(), "", true, PodFacts.Phase.PENDING, false, false, Optional.empty(), "");
    }

    /** Nobody makes the missing pod: a job that only says how many run would be waited for without end. */
    @Test
    void saysThatAWorkloadMakesAnotherNumberOfPods() {
        sample.workload = making(3);
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("True TemplateContradicts");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .isEqualTo(
                        "JobSet mine is taken as it is: it makes 3 pods that train; the job has 4 nodes: make 4, or a"
                                + " job of 12 GPUs");
        sample.lit();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("0 of 4 pods run; JobSet mine makes 3 pods that train; the job has 4 nodes: make 4, or a job"
                        + " of 12 GPUs");
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True PodsPending");
        assertThat(TrainingJobReconciler.atRest(sample.told()))
                .as("nobody tells of pods that it makes instead")
                .isFalse();
        sample.workload = making(4);
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("True Satisfied");
        assertThat(sample.message(ConditionType.READY)).isEqualTo("0 of 4 pods run");
        assertThat(sample.says(ConditionType.STALLED)).startsWith("False");
    }

    private static WorkloadFacts making(int pods) {
        return asking(gatedRun(), new WorkloadFacts.AskedWorkers(List.of(), OptionalInt.of(pods), List.of()));
    }

    private static WorkloadFacts asking(Optional<WorkloadFacts.Run> run, WorkloadFacts.AskedWorkers asked) {
        return new WorkloadFacts.Referenced(
                "JobSet mine", true, run, List.of(), List.of(), Optional.empty(), false, asked);
    }

    /** Else a job whose data takes an hour to load seems to have pods that do not start. */
    @Test
    void saysWhatAWorkloadDoesBeforeItMakesPodsThatTrain() {
        WorkloadFacts.AskedWorkers asked = new WorkloadFacts.AskedWorkers(
                List.of(),
                OptionalInt.of(4),
                List.of(),
                List.of("replicated job data to complete", "replicated job model to complete"));
        sample.lit().workload = asking(gatedRun(), asked);
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("0 of 4 pods run; waits for replicated job data to complete and for replicated job model to"
                        + " complete, before which JobSet mine makes no further pods");
        sample.workload = asking(suspendedRun(), asked);
        assertThat(sample.message(ConditionType.READY))
                .as("nothing of it has begun")
                .doesNotContain("replicated job");
    }

    /** The operator reads no TrainJob: one that is there may have no JobSet. */
    @Test
    void saysThatATrainJobHasNoJobSet() {
        sample.template = new Workload(
                null, new WorkloadReference("trainer.kubeflow.org/v1alpha1", "TrainJob", "mine", List.of()));
        sample.workload = new WorkloadFacts.Referenced("JobSet of TrainJob mine", true, Optional.empty(), List.of());
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .isEqualTo(
                        "spec.workload.ref: there is no JobSet of TrainJob mine in namespace team-a; nothing is placed"
                                + " before it is there: create the TrainJob, with the scheduling gate lightpath.dev/circuits; if"
                                + " that is there, its conditions say why it has no JobSet");
    }

    /** The operator ends no pods of others: nobody would, if it did not say so. */
    @Test
    void saysWhoHasToEndThePodsOfAJobThatIsDeletedOrSuspended() {
        sample.lit().workload =
                new WorkloadFacts.Referenced("JobSet mine", true, gatedRun(), List.of(running(0), running(1)));
        sample.deleted = true;
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("the job is being deleted; waits for 2 pods to end, first p0: delete or suspend JobSet mine,"
                        + " the operator does not");
        sample.deleted = false;
        sample.suspend = true;
        assertThat(sample.message(ConditionType.READY))
                .endsWith(": delete or suspend JobSet mine, the operator does not");
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, suspendedRun(), List.of(running(0)));
        assertThat(sample.message(ConditionType.READY)).endsWith("waits for 1 pod to end, first p0");
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, Optional.empty(), List.of(running(0)));
        assertThat(sample.message(ConditionType.READY)).endsWith("first p0: delete its pods, the operator does not");
    }

    /** Its pods would run anywhere, and the light that waits for them would be lost to others. */
    @Test
    void placesNothingForPodsWithoutTheGate() {
        sample.workload = ungated();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False GateMissing");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False GateMissing");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo(
                        "spec.workload.ref: the pods of JobSet roles (replicated jobs a, b) need spec.schedulingGates"
                                + " with name lightpath.dev/circuits in their template; nothing is placed before: make it anew"
                                + " with the gate, which pods that run cannot get");
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True GateMissing");
    }

    @Test
    void aWorkloadThatCannotBeUsedNeedsAPersonAndOneThatIsNotThereMayCome() {
        sample.workload = new WorkloadFacts.Referenced(
                "Job mine",
                true,
                gatedRun(),
                List.of(),
                List.of(),
                Optional.of("Job mine has no indexes"),
                false,
                WorkloadFacts.AskedWorkers.UNKNOWN);
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True InvalidTemplate");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("False");
        sample.workload = new WorkloadFacts.Referenced("Job mine", true, Optional.empty(), List.of());
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.says(ConditionType.STALLED)).startsWith("False");
    }

    private static WorkloadFacts ungated() {
        return new WorkloadFacts.Referenced(
                "JobSet roles",
                true,
                Optional.of(SampleRun.running().withoutGate().run()),
                List.of(gated(0)),
                List.of(),
                Optional.empty(),
                false,
                new WorkloadFacts.AskedWorkers(List.of(), OptionalInt.empty(), List.of("a", "b")));
    }

    @Test
    void saysWhichReplicatedJobsThereAre() {
        sample.workload = new WorkloadFacts.Referenced(
                "JobSet mine",
                true,
                gatedRun(),
                List.of(),
                List.of(),
                Optional.of("it has no nodes"),
                false,
                WorkloadFacts.AskedWorkers.UNKNOWN);
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.message(ConditionType.ACCEPTED)).isEqualTo("it has no nodes");
        assertThat(sample.steps()).isEmpty();
    }
}
